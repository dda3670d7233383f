extension Sentence {
    /// Pictures, texts and JSON.
    static let pictures = #"""
        # What the built-in planner makes of sentences. Files hold 1000 bytes each, those called big… 5 MB.
        files: cat.jpg, dog.png, logo.png, bird.JPG, notes.txt, data.json, a.json, b.json, a.txt, docs/, my holiday.jpg, bigphoto.jpg

        make cat.jpg 800 px wide, grayscale, under 60 KB
          ImageLoader(path=cat.jpg) Resize(width=800) Grayscale CompressLocal(targetKB=60) SaveFile
        convert cat.jpg to webp
          ImageLoader(path=cat.jpg) ConvertImage(format=webp) SaveFile
        crop cat.jpg to 400x400 and blur it a little
          ImageLoader(path=cat.jpg) Crop(width=400, height=400) Blur(radius=1.5) SaveFile
        fetch http://127.0.0.1:8080/x.json and save the field items.0.name to name.txt
          HTTPFetch(url=http://127.0.0.1:8080/x.json) JSONQuery(path=items.0.name) SaveFile(path=name.txt)
        count the words in notes.txt
          ReadFile(path=notes.txt) CountWords
        rename notes.txt to old.txt
          MoveFile(from=notes.txt, to=old.txt)
        delete notes.txt
          DeleteFile(path=notes.txt)
        what did I do yesterday?
          : /history
        shrink every png to 1200 px and zip them
          ImageLoader(path=dog.png) Resize(width=1200, enlarge=false) ImageLoader(path=logo.png) Resize(width=1200, enlarge=false) Zip SaveFile(path=files.zip)

        # Sizes and figures.
        please resize cat.jpg to 640 pixels wide
          ImageLoader(path=cat.jpg) Resize(width=640) SaveFile
        cat.jpg 600 pixels tall
          ImageLoader(path=cat.jpg) Resize(height=600) SaveFile
        scale cat.jpg: width 640
          ImageLoader(path=cat.jpg) Resize(width=640) SaveFile
        fit cat.jpg into 1024x768
          ImageLoader(path=cat.jpg) Resize(width=1024, height=768) SaveFile
        Could you make dog.png 400 by 300?
          ImageLoader(path=dog.png) Resize(width=400, height=300) SaveFile
        resize cat.jpg and dog.png to 100x100
          ImageLoader(path=cat.jpg) Resize(width=100, height=100) SaveFile ImageLoader(path=dog.png) Resize(width=100, height=100) SaveFile
        compress cat.jpg to max 2MB
          ImageLoader(path=cat.jpg) CompressLocal(targetMB=2) SaveFile
        cat.jpg no larger than 300 kB please
          ImageLoader(path=cat.jpg) CompressLocal(targetKB=300) SaveFile
        get cat.jpg down to at most 1.5 MB
          ImageLoader(path=cat.jpg) CompressLocal(targetMB=1.5) SaveFile
        shrink cat.jpg to 200 KB
          ImageLoader(path=cat.jpg) CompressLocal(targetKB=200) SaveFile
        make cat.jpg smaller than 64 KiB
          ImageLoader(path=cat.jpg) CompressLocal(targetKB=65.536) SaveFile
        resize cat.jpg to 50%
          ImageLoader(path=cat.jpg) Resize(scale=50) SaveFile
        make cat.jpg half the size
          ImageLoader(path=cat.jpg) Resize(scale=50) SaveFile
        make cat.jpg 90000 px wide
          : 65535
        make cat.jpg smaller
          : how large
        make the width of cat.jpg 640 and the height 480
          ImageLoader(path=cat.jpg) Resize(width=640, height=480) SaveFile
        make cat.jpg larger than 5 MB
          : “larger than 5 MB”
        make a 200px thumbnail of each png
          ImageLoader(path=dog.png) Resize(width=200, enlarge=false) SaveFile ImageLoader(path=logo.png) Resize(width=200, enlarge=false) SaveFile
        make cat.jpg 1200px on the longest side
          ImageLoader(path=cat.jpg) Resize(width=1200, height=1200) SaveFile
        resize cat.jpg to 10 cm
          : px

        # Turning, colours, blur.
        rotate cat.jpg left
          ImageLoader(path=cat.jpg) Rotate(angle=-90) SaveFile
        rotate cat.jpg by 90 degrees counterclockwise
          ImageLoader(path=cat.jpg) Rotate(angle=-90) SaveFile
        turn cat.jpg upside down
          ImageLoader(path=cat.jpg) Rotate(angle=180) SaveFile
        turn dog.png into a jpg
          ImageLoader(path=dog.png) ConvertImage(format=jpg) SaveFile
        turn dog.png black and white
          ImageLoader(path=dog.png) Grayscale SaveFile
        rotate cat.jpg 45 degrees then make it black and white
          ImageLoader(path=cat.jpg) Rotate(angle=45) Grayscale SaveFile
        blur cat.jpg strongly
          ImageLoader(path=cat.jpg) Blur(radius=8) SaveFile
        blur cat.jpg by 5 px
          ImageLoader(path=cat.jpg) Blur(radius=5) SaveFile
        rotate cat.jpg 400 degrees
          : at most 360
        I want a blurred version of cat.jpg
          ImageLoader(path=cat.jpg) Blur SaveFile

        # Formats and names.
        save cat.jpg as a png
          ImageLoader(path=cat.jpg) ConvertImage(format=png) SaveFile
        cat.jpg as png
          ImageLoader(path=cat.jpg) ConvertImage(format=png) SaveFile
        convert cat.jpg into a pdf
          ImageLoader(path=cat.jpg) PictureToPDF SaveFile
        convert cat.jpg
          : format
        convert all the pngs to jpg
          ImageLoader(path=dog.png) ConvertImage(format=jpg) SaveFile ImageLoader(path=logo.png) ConvertImage(format=jpg) SaveFile
        resize cat.jpg to 100x100 and save it as small.jpg
          ImageLoader(path=cat.jpg) Resize(width=100, height=100) SaveFile(path=small.jpg)
        resize cat.jpg to 100x100 and save it as small.png
          ImageLoader(path=cat.jpg) Resize(width=100, height=100) ConvertImage(format=png) SaveFile(path=small.png)
        convert cat.jpg to small.webp
          ImageLoader(path=cat.jpg) ConvertImage(format=webp) SaveFile(path=small.webp)
        make cat.jpg gray and save it as dog.png
          : dog.png is there already
        make cat.jpg gray and overwrite it
          ImageLoader(path=cat.jpg) Grayscale SaveFile(path=cat.jpg, overwrite=true)
        make cat.jpg gray in place
          ImageLoader(path=cat.jpg) Grayscale SaveFile(path=cat.jpg, overwrite=true)
        make cat.jpg gray but don't overwrite it
          ImageLoader(path=cat.jpg) Grayscale SaveFile
        blur cat.jpg without overwriting the original
          ImageLoader(path=cat.jpg) Blur SaveFile
        shrink cat.jpg to 300 px, replace the original
          ImageLoader(path=cat.jpg) Resize(width=300, enlarge=false) SaveFile(path=cat.jpg, overwrite=true)
        overwrite cat.jpg with a grayscale version
          ImageLoader(path=cat.jpg) Grayscale SaveFile(path=cat.jpg, overwrite=true)
        grayscale "my holiday.jpg"
          ImageLoader(path=my holiday.jpg) Grayscale SaveFile
        grayscale my holiday.jpg
          ImageLoader(path=my holiday.jpg) Grayscale SaveFile
        make bird.jpg 300 wide
          ImageLoader(path=bird.JPG) Resize(width=300) SaveFile
        blur all jpgs except cat.jpg, my holiday.jpg and bigphoto.jpg
          ImageLoader(path=bird.JPG) Blur SaveFile
        compress every jpg larger than 2 MB to 500 KB
          ImageLoader(path=bigphoto.jpg) CompressLocal(targetKB=500) SaveFile
        make *.png grayscale
          ImageLoader(path=dog.png) Grayscale SaveFile ImageLoader(path=logo.png) Grayscale SaveFile
        zip a.txt and notes.txt into pack.zip
          FileLoader(path=a.txt) FileLoader(path=notes.txt) Zip(name=pack.zip) SaveFile(path=pack.zip)
        copy cat.jpg to docs/
          ImageLoader(path=cat.jpg) SaveFile(path=docs/cat.jpg)
        put logo.png on cat.jpg at 10,20
          ImageLoader(path=cat.jpg) ImageLoader(path=logo.png) Composite(left=10, top=20) SaveFile
        watermark cat.jpg with logo.png
          ImageLoader(path=cat.jpg) ImageLoader(path=logo.png) Composite SaveFile

        # Texts and JSON.
        replace foo with bar in notes.txt and save it as new.txt
          ReadFile(path=notes.txt) ReplaceText(find=foo, replacement=bar) SaveFile(path=new.txt)
        in notes.txt, replace "the old one" by "a new one"
          ReadFile(path=notes.txt) ReplaceText(find=the old one, replacement=a new one) SaveFile
        write hello world to hello.txt
          : “world”
        write "a, b and c" into a file called list.txt
          WriteFile(path=list.txt, text=a, b and c)
        write hello to notes.txt
          : notes.txt is there already
        create todo.txt with the text buy milk
          : I do not understand: “milk”
        merge a.json and b.json
          ReadFile(path=a.json) ReadFile(path=b.json) JSONMerge SaveFile
        join a.txt and notes.txt
          ReadFile(path=a.txt) ReadFile(path=notes.txt) JoinText SaveFile
        extract items.0.name from data.json
          ReadFile(path=data.json) JSONQuery(path=items.0.name)
        get the version field from data.json
          ReadFile(path=data.json) JSONQuery(path=version)
        how many words are in notes.txt?
          ReadFile(path=notes.txt) CountWords
        show notes.txt
          ReadFile(path=notes.txt)
        """#
}
