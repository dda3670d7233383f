extension Sentence {
    /// Written when all others were right: nine in ten were understood at once.
    static let heldOut = #"""
        files: sunset.jpg, portrait.JPEG, icon.png, my notes.txt, report.md, config.json, list.json, stamp.png, archive/
        make sunset.jpg 1024px across and black & white
          ImageLoader(path=sunset.jpg) Resize(width=1024) Grayscale SaveFile
        could i get sunset.jpg as a webp please
          ImageLoader(path=sunset.jpg) ConvertImage(format=webp) SaveFile
        portrait.JPEG → png
          ImageLoader(path=portrait.JPEG) ConvertImage(format=png) SaveFile
        Shrink sunset.jpg to fit 640x640, then greyscale it.
          ImageLoader(path=sunset.jpg) Resize(width=640, height=640, enlarge=false) Grayscale SaveFile
        squash sunset.jpg below 200 kilobytes
          ImageLoader(path=sunset.jpg) CompressLocal(targetKB=200) SaveFile
        sunset.jpg needs to be 500 wide
          ImageLoader(path=sunset.jpg) Resize(width=500) SaveFile
        I'd like to have portrait.jpeg rotated by 180 degrees
          ImageLoader(path=portrait.JPEG) Rotate(angle=180) SaveFile
        rotate portrait.jpeg 270° and convert to tiff
          ImageLoader(path=portrait.JPEG) Rotate(angle=270) ConvertImage(format=tiff) SaveFile
        make sunset.jpg smaller than three hundred kilobytes
          ImageLoader(path=sunset.jpg) CompressLocal(targetKB=300) SaveFile
        crop 100 by 100 pixels from the center of icon.png
          ImageLoader(path=icon.png) Crop(width=100, height=100) SaveFile
        crop icon.png to 64x64 at 5 5
          ImageLoader(path=icon.png) Crop(width=64, height=64, left=5, top=5) SaveFile
        centre-crop sunset.jpg to 500x500
          ImageLoader(path=sunset.jpg) Crop(width=500, height=500) SaveFile
        blur sunset.jpg just a tad
          ImageLoader(path=sunset.jpg) Blur(radius=1.5) SaveFile
        gaussian blur of sunset.jpg, radius 4
          ImageLoader(path=sunset.jpg) Blur(radius=4) SaveFile
        put stamp.png on top of sunset.jpg
          ImageLoader(path=sunset.jpg) ImageLoader(path=stamp.png) Composite SaveFile
        add stamp.png as a watermark to portrait.jpeg
          ImageLoader(path=portrait.JPEG) ImageLoader(path=stamp.png) Composite SaveFile
        convert sunset.jpg and portrait.jpeg to png and put them into a zip called pics.zip
          ImageLoader(path=sunset.jpg) ConvertImage(format=png) ImageLoader(path=portrait.JPEG) ConvertImage(format=png) Zip(name=pics.zip) SaveFile(path=pics.zip)
        zip my notes.txt and report.md together
          FileLoader(path=my notes.txt) FileLoader(path=report.md) Zip SaveFile(path=files.zip)
        gray every jpeg and zip them into gray.zip
          ImageLoader(path=portrait.JPEG) Grayscale ImageLoader(path=sunset.jpg) Grayscale Zip(name=gray.zip) SaveFile(path=gray.zip)
        how many lines are in my notes.txt?
          ReadFile(path=my notes.txt) CountWords
        give me the word count of report.md
          ReadFile(path=report.md) CountWords
        please count all words in "my notes.txt"
          ReadFile(path=my notes.txt) CountWords
        replace TODO with DONE in report.md
          ReadFile(path=report.md) ReplaceText(find=TODO, replacement=DONE) SaveFile
        substitute every "foo bar" with "baz" in report.md and call it new.md
          ReadFile(path=report.md) ReplaceText(find=foo bar, replacement=baz) SaveFile(path=new.md)
        get the value of server.port from config.json
          ReadFile(path=config.json) JSONQuery(path=server.port)
        fetch http://127.0.0.1:8123/data.json and store the field user.name in user.txt
          HTTPFetch(url=http://127.0.0.1:8123/data.json) JSONQuery(path=user.name) SaveFile(path=user.txt)
        download http://127.0.0.1:8123/data.json, pick items.2.title and write it to title.txt
          URLLoader(url=http://127.0.0.1:8123/data.json) JSONQuery(path=items.2.title) SaveFile(path=title.txt)
        load http://127.0.0.1:8123/data.json and save items.0.id to id.txt
          URLLoader(url=http://127.0.0.1:8123/data.json) JSONQuery(path=items.0.id) SaveFile(path=id.txt)
        merge config.json and list.json into both.json
          ReadFile(path=config.json) ReadFile(path=list.json) JSONMerge SaveFile(path=both.json)
        join my notes.txt with report.md
          ReadFile(path=my notes.txt) ReadFile(path=report.md) JoinText SaveFile
        rename "my notes.txt" to notes.txt
          MoveFile(from=my notes.txt, to=notes.txt)
        move report.md to archive
          MoveFile(from=report.md, to=archive/report.md)
        move report.md into the archive folder
          MoveFile(from=report.md, to=archive/report.md)
        delete report.md, please
          DeleteFile(path=report.md)
        remove icon.png and stamp.png
          DeleteFile(path=icon.png) DeleteFile(path=stamp.png)
        delete Report.md
          : exactly
        please do not delete report.md
          :
        delete all jpgs
          :
        remove the shadows from sunset.jpg
          :
        delete the last line of report.md
          ReadFile(path=report.md) TakeLines(count=1, from=end, drop=true) SaveFile
        what did we do yesterday?
          : /history
        what did I do last time
          : /history
        when did I shrink sunset.jpg?
          :
        show me my history
          : /history
        what's waiting for my approval?
          : /inbox
        hello, what can you do for me?
          : /help
        thank you very much!
          : welcome
        how do I resize a picture?
          :
        why should I use this?
          :
        save sunset.jpg as a 90% quality jpg
          ImageLoader(path=sunset.jpg) ConvertImage(format=jpg, quality=90) SaveFile
        make sunset.jpg black and white then save to archive/bw.jpg
          ImageLoader(path=sunset.jpg) Grayscale SaveFile(path=archive/bw.jpg)
        turn every png into jpg
          ImageLoader(path=icon.png) ConvertImage(format=jpg) SaveFile ImageLoader(path=stamp.png) ConvertImage(format=jpg) SaveFile
        shrink all images to max 800 px
          ImageLoader(path=icon.png) Resize(width=800, enlarge=false) SaveFile ImageLoader(path=portrait.JPEG) Resize(width=800, enlarge=false) SaveFile ImageLoader(path=stamp.png) Resize(width=800, enlarge=false) SaveFile ImageLoader(path=sunset.jpg) Resize(width=800, enlarge=false) SaveFile
        take every jpeg here, make it 1200 px wide and pack them all into a zip
          ImageLoader(path=portrait.JPEG) Resize(width=1200) ImageLoader(path=sunset.jpg) Resize(width=1200) Zip SaveFile(path=files.zip)
        sunset.jpg: crop 400x300, blur lightly, webp, max 50 kB
          ImageLoader(path=sunset.jpg) Crop(width=400, height=300) Blur(radius=1.5) ConvertImage(format=webp) CompressLocal(targetKB=50) SaveFile
        sunst.jpg to webp
          : Did you mean sunset.jpg
        make sunset.jpg warmer
          :
        make sunset.jpg 800px wide and warmer
          :
        make sunset.jpg 800px wide, but keep it sharp
          :
        sunset.jpg 800px wide and delete report.md
          ImageLoader(path=sunset.jpg) Resize(width=800) SaveFile DeleteFile(path=report.md)
        """#
}
