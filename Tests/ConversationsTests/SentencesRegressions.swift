extension Sentence {
    /// What went wrong once.
    static let regressions = #"""
        files: cat.jpg, dog.png, logo.png, bird.JPG, notes.txt, data.json, a.json, b.json, a.txt, docs/, my holiday.jpg, bigphoto.jpg, people.csv

        # What went wrong once.
        make a small version of cat.jpg
          : “small”
        reduce the size of cat.jpg by half
          ImageLoader(path=cat.jpg) Resize(scale=50) SaveFile
        get name from data.json
          ReadFile(path=data.json) JSONQuery(path=name)
        query data.json for dependencies
          ReadFile(path=data.json) JSONQuery(path=dependencies)
        move notes.txt to the folder summer
          MoveFile(from=notes.txt, to=summer/notes.txt)
        move all pngs to the folder docs
          MoveFile(from=dog.png, to=docs/dog.png) MoveFile(from=logo.png, to=docs/logo.png)
        rotate cat.jpg 90 left
          ImageLoader(path=cat.jpg) Rotate(angle=-90) SaveFile
        resize cat.jpg to 100x100. resize dog.png to 200x200.
          ImageLoader(path=cat.jpg) Resize(width=100, height=100) SaveFile ImageLoader(path=dog.png) Resize(width=200, height=200) SaveFile
        Don't delete anything. Just make cat.jpg smaller than 50 kB.
          ImageLoader(path=cat.jpg) CompressLocal(targetKB=50) SaveFile
        overwrite cat.jpg with dog.png
          ImageLoader(path=dog.png) ConvertImage(format=jpg) SaveFile(path=cat.jpg, overwrite=true)
        overwrite cat.jpg with a grayscale version of bird.JPG
          ImageLoader(path=bird.JPG) Grayscale SaveFile(path=cat.jpg, overwrite=true)
        wait 10 seconds then fetch http://127.0.0.1:9/x
          : only after
        in notes.txt change 2023 to 2024
          ReadFile(path=notes.txt) ReplaceText(find=2023, replacement=2024) SaveFile
        crop cat.jpg to 100x100 starting at left 10 and top 20
          ImageLoader(path=cat.jpg) Crop(width=100, height=100, left=10, top=20) SaveFile
        what are the dimensions of every png?
          ImageLoader(path=dog.png) ImageInfo ImageLoader(path=logo.png) ImageInfo
        blur the faces in cat.jpg
          : cannot “blur the faces”
        I want to delete notes.txt
          DeleteFile(path=notes.txt)
        delete notes.txt, but not a.txt
          : “but not a.txt”
        put logo.png on every jpg
          ImageLoader(path=bigphoto.jpg) ImageLoader(path=logo.png) Composite SaveFile ImageLoader(path=bird.JPG) ImageLoader(path=logo.png) Composite SaveFile ImageLoader(path=cat.jpg) ImageLoader(path=logo.png) Composite SaveFile ImageLoader(path=my holiday.jpg) ImageLoader(path=logo.png) Composite SaveFile
        cna you resize cat.jpg to 100 px wdie
          ImageLoader(path=cat.jpg) Resize(width=100) SaveFile
        First make cat.jpg gray, then blur it a lot, and finally convert it to png.
          ImageLoader(path=cat.jpg) Grayscale Blur(radius=8) ConvertImage(format=png) SaveFile
        don't resize cat.jpg, just blur it
          : what “don't resize” forbids
        create gray.jpg from cat.jpg in grayscale
          ImageLoader(path=cat.jpg) Grayscale SaveFile(path=gray.jpg)
        make a black-and-white 800-pixel-wide version of cat.jpg
          ImageLoader(path=cat.jpg) Grayscale Resize(width=800) SaveFile
        archive notes.txt and a.txt
          FileLoader(path=notes.txt) FileLoader(path=a.txt) Zip SaveFile(path=files.zip)
        what pngs do I have here?
          ListFiles(pattern=*.png)
        overwrite notes.txt with "hello"
          WriteFile(path=notes.txt, text=hello, overwrite=true)
        get the picture from http://127.0.0.1:9/a.jpg
          HTTPFetch(url=http://127.0.0.1:9/a.jpg)
        place logo.png over cat.jpg, 15 px from the left and 30 px from the top
          ImageLoader(path=cat.jpg) ImageLoader(path=logo.png) Composite(left=15, top=30) SaveFile
        blur the background of cat.jpg
          : cannot “blur the background”
        convert cat.jpg to png and webp
          : one format at a time
        move cat.jpg into the docs folder
          MoveFile(from=cat.jpg, to=docs/cat.jpg)

        # What the third list found: a second copy, a table called json, a file that nobody asked for, a line for its number.
        make a copy of cat.jpg and call it kitty.jpg
          ImageLoader(path=cat.jpg) SaveFile(path=kitty.jpg)
        sort people.csv by name descending, then save as people.json
          ReadFile(path=people.csv) SortRows(column=name, order=down) CSVToJSON SaveFile(path=people.json)
        sort people.csv by name and save it as sorted.csv
          ReadFile(path=people.csv) SortRows(column=name) SaveFile(path=sorted.csv)
        first 3 lines of notes.txt pls
          ReadFile(path=notes.txt) TakeLines(count=3, from=start)
        first 3 lines of notes.txt into top.txt
          ReadFile(path=notes.txt) TakeLines(count=3, from=start) SaveFile(path=top.txt)
        get the first line of notes.txt
          ReadFile(path=notes.txt) TakeLines(count=1, from=start) SaveFile
        in which line of notes.txt is the refund?
          FindText(text=refund, pattern=notes.txt)
        """#
}
