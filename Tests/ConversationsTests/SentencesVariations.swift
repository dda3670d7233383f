extension Sentence {
    /// More of each, in other words.
    static let variations = #"""
        files: cat.jpg, dog.png, logo.png, bird.JPG, notes.txt, data.json, a.json, b.json, a.txt, docs/, my holiday.jpg, bigphoto.jpg

        # More of each, in other words.
        shrink cat.jpg so that it is 800px wide and under 60KB
          ImageLoader(path=cat.jpg) Resize(width=800, enlarge=false) CompressLocal(targetKB=60) SaveFile
        I need dog.png as a grayscale jpg, 500 px wide, max 100 kB
          ImageLoader(path=dog.png) Grayscale ConvertImage(format=jpg) Resize(width=500) CompressLocal(targetKB=100) SaveFile
        can you compress cat.jpg below 100 kilobytes and call it tiny.jpg?
          ImageLoader(path=cat.jpg) CompressLocal(targetKB=100) SaveFile(path=tiny.jpg)
        crop a 300x200 part out of cat.jpg
          ImageLoader(path=cat.jpg) Crop(width=300, height=200) SaveFile
        crop cat.jpg to a 400 px square
          ImageLoader(path=cat.jpg) Crop(width=400, height=400) SaveFile
        crop cat.jpg
          : width and height
        crop cat.jpg to 400 px wide and 300 px high
          ImageLoader(path=cat.jpg) Crop(width=400, height=300) SaveFile
        cut dog.png to 640x480 and turn it to the right
          ImageLoader(path=dog.png) Crop(width=640, height=480) Rotate(angle=90) SaveFile
        resize every picture to 500 px and convert them to webp
          ImageLoader(path=bigphoto.jpg) Resize(width=500) ConvertImage(format=webp) SaveFile ImageLoader(path=bird.JPG) Resize(width=500) ConvertImage(format=webp) SaveFile ImageLoader(path=cat.jpg) Resize(width=500) ConvertImage(format=webp) SaveFile ImageLoader(path=dog.png) Resize(width=500) ConvertImage(format=webp) SaveFile ImageLoader(path=logo.png) Resize(width=500) ConvertImage(format=webp) SaveFile ImageLoader(path=my holiday.jpg) Resize(width=500) ConvertImage(format=webp) SaveFile
        zip all text files
          FileLoader(path=a.txt) FileLoader(path=notes.txt) Zip SaveFile(path=files.zip)
        make a zip of cat.jpg and dog.png
          FileLoader(path=cat.jpg) FileLoader(path=dog.png) Zip SaveFile(path=files.zip)
        pack cat.jpg, dog.png and notes.txt together into an archive called stuff.zip
          FileLoader(path=cat.jpg) FileLoader(path=dog.png) FileLoader(path=notes.txt) Zip(name=stuff.zip) SaveFile(path=stuff.zip)
        convert dog.png and logo.png to jpg and zip them as jpgs.zip
          ImageLoader(path=dog.png) ConvertImage(format=jpg) ImageLoader(path=logo.png) ConvertImage(format=jpg) Zip(name=jpgs.zip) SaveFile(path=jpgs.zip)
        blur cat.jpg, make dog.png gray and zip both
          ImageLoader(path=cat.jpg) Blur ImageLoader(path=dog.png) Grayscale Zip SaveFile(path=files.zip)
        overlay logo.png over dog.png at position 5, 5
          ImageLoader(path=dog.png) ImageLoader(path=logo.png) Composite(left=5, top=5) SaveFile
        add logo.png to cat.jpg in the top left corner
          ImageLoader(path=cat.jpg) ImageLoader(path=logo.png) Composite(left=0, top=0) SaveFile
        convert cat.jpg to png and save it in docs/
          ImageLoader(path=cat.jpg) ConvertImage(format=png) SaveFile(path=docs/cat.png)
        convert cat.jpg to jpg with quality 80
          ImageLoader(path=cat.jpg) ConvertImage(format=jpg, quality=80) SaveFile
        convert cat.jpg to webp at 75% quality
          ImageLoader(path=cat.jpg) ConvertImage(format=webp, quality=75) SaveFile
        convert cat.jpg to webp with quality 150
          : at most 100
        rotate dog.png clockwise
          ImageLoader(path=dog.png) Rotate(angle=90) SaveFile
        rotate dog.png ninety degrees anticlockwise
          ImageLoader(path=dog.png) Rotate(angle=-90) SaveFile
        Grayscale CAT.JPG
          ImageLoader(path=cat.jpg) Grayscale SaveFile
        desaturate cat.jpg, then rotate it 180°
          ImageLoader(path=cat.jpg) Grayscale Rotate(angle=180) SaveFile
        reduce cat.jpg to 100 KB
          ImageLoader(path=cat.jpg) CompressLocal(targetKB=100) SaveFile
        reduce cat.jpg to 640x480
          ImageLoader(path=cat.jpg) Resize(width=640, height=480) SaveFile
        make cat.jpg less than 1 MB but keep the original
          ImageLoader(path=cat.jpg) CompressLocal(targetMB=1) SaveFile
        make cat.jpg fit in 2 megabytes
          ImageLoader(path=cat.jpg) CompressLocal(targetMB=2) SaveFile
        replace all "colour" with "color" in notes.txt in place
          ReadFile(path=notes.txt) ReplaceText(find=colour, replacement=color) SaveFile(path=notes.txt, overwrite=true)
        substitute foo by bar in notes.txt
          ReadFile(path=notes.txt) ReplaceText(find=foo, replacement=bar) SaveFile
        change foo to bar in notes.txt, then count the words
          ReadFile(path=notes.txt) ReplaceText(find=foo, replacement=bar) SaveFile CountWords
        remove the word foo from notes.txt
          ReadFile(path=notes.txt) ReplaceText(find=foo, replacement=) SaveFile
        count the words in notes.txt and save the result as count.txt
          ReadFile(path=notes.txt) CountWords SaveFile(path=count.txt)
        word count of a.txt
          ReadFile(path=a.txt) CountWords
        how many lines does a.txt have?
          ReadFile(path=a.txt) CountWords
        combine a.json and b.json into all.json
          ReadFile(path=a.json) ReadFile(path=b.json) JSONMerge SaveFile(path=all.json)
        concatenate a.txt and notes.txt and save as both.txt
          ReadFile(path=a.txt) ReadFile(path=notes.txt) JoinText SaveFile(path=both.txt)
        what is the name field in data.json?
          ReadFile(path=data.json) JSONQuery(path=name)
        get http://127.0.0.1:9/data.json and show me the key user.email
          HTTPFetch(url=http://127.0.0.1:9/data.json) JSONQuery(path=user.email)
        fetch http://127.0.0.1:9/list.json
          HTTPFetch(url=http://127.0.0.1:9/list.json)
        count the words of http://127.0.0.1:9/page.txt
          HTTPFetch(url=http://127.0.0.1:9/page.txt) CountWords
        download http://127.0.0.1:9/a.png
          URLLoader(url=http://127.0.0.1:9/a.png) SaveFile
        list the txt files
          ListFiles(pattern=*.txt)
        show me all png files
          ListFiles(pattern=*.png)
        what files are in docs?
          ListFiles(path=docs)
        what's in notes.txt?
          ReadFile(path=notes.txt)
        read a.txt
          ReadFile(path=a.txt)
        give me the dimensions of cat.jpg
          ImageLoader(path=cat.jpg) ImageInfo
        what resolution does dog.png have
          ImageLoader(path=dog.png) ImageInfo
        is cat.jpg bigger than 2 MB?
          ImageLoader(path=cat.jpg) ImageInfo
        run `git status` and save the output to status.txt
          Shell(command=git status) SaveFile(path=status.txt)
        please run "echo hi" for me
          Shell(command=echo hi)
        run a marathon
          : backticks
        execute order 66
          : backticks
        pause for 1.5 minutes
          Delay(seconds=90)
        erase notes.txt please
          DeleteFile(path=notes.txt)
        remove a.txt
          DeleteFile(path=a.txt)
        delete cat
          : not sure
        delete CAT.JPG
          : exactly
        rm -rf docs/
          : “-rf”
        delete everything
          : name one by one
        make cat.jpg gray and delete the original
          : “and delete the original”
        delete cat.jpg and then convert cat.jpg to png
          : would be missing
        did you delete notes.txt?
          : /history
        mv a.txt b.txt
          MoveFile(from=a.txt, to=b.txt)
        move a.txt and notes.txt into docs
          MoveFile(from=a.txt, to=docs/a.txt) MoveFile(from=notes.txt, to=docs/notes.txt)
        rename it to x.txt
          : which file
        make it black and white
          : which file
        sharpen cat.jpg to 800px
          ImageLoader(path=cat.jpg) Sharpen Resize(width=800) SaveFile
        make cat.jpg brighter
          ImageLoader(path=cat.jpg) Brighter SaveFile
        summarize notes.txt
          : cannot “summarize”
        open ghost.png
          : There is no ghost.png here
        upload cat.jpg to http://127.0.0.1:9/
          : cannot “upload”
        blur cat.jpg and email it to bob
          : cannot “email”
        make cat.png gray
          : There is no cat.png here. Did you mean cat.jpg?
        make the picture gray
          : which one
        never overwrite anything, just make cat.jpg 100 px wide
          ImageLoader(path=cat.jpg) Resize(width=100) SaveFile
        resize photo.jpg to 100x100
          : There is no photo.jpg here
        why is the sky blue?
          : “sky blue”
        good morning
          : Hello
        """#
}
