extension Sentence {
    /// Paths that lead out of the folder, squares, and what a rename leaves.
    static let places = #"""
        files: cat.jpg, dog.png, notes.txt, data.json, logo.png, photos/, photos/sea.jpg, deep/, deep/er/, book.pdf

        count the words in /tmp/x/notes.txt
          ReadFile(path=/tmp/x/notes.txt) CountWords
        resize ../other/cat.jpg to 80 px
          ImageLoader(path=../other/cat.jpg) Resize(width=80) SaveFile
        count the words in /etc/passwd
          ReadFile(path=/etc/passwd) CountWords
        count the words in "/etc/passwd"
          ReadFile(path=/etc/passwd) CountWords
        count the words in ~/notes.txt
          ReadFile(path=~/notes.txt) CountWords
        count the words in /work/notes.txt
          ReadFile(path=notes.txt) CountWords
        make deep/er/cat.jpg gray
          ImageLoader(path=deep/er/cat.jpg) Grayscale SaveFile
        make photos/sea.jpg 200 px wide
          ImageLoader(path=photos/sea.jpg) Resize(width=200) SaveFile(path=photos/sea-1.jpg)
        make photos/see.jpg 200 px wide
          : There is no photos/see.jpg here.
        make ./photos/sea.jpg gray
          ImageLoader(path=photos/sea.jpg) Grayscale SaveFile(path=photos/sea-1.jpg)
        make photos/.hidden.jpg gray
          ImageLoader(path=photos/.hidden.jpg) Grayscale SaveFile
        make link/cat.jpg gray
          ImageLoader(path=link/cat.jpg) Grayscale SaveFile
        make cat.jpg gray and save it as /tmp/x/gray.jpg
          ImageLoader(path=cat.jpg) Grayscale SaveFile(path=/tmp/x/gray.jpg)
        make cat.jpg gray and save it to /tmp
          ImageLoader(path=cat.jpg) Grayscale SaveFile(path=/tmp)
        convert cat.jpg to ../other/cat.webp
          ImageLoader(path=cat.jpg) ConvertImage(format=webp) SaveFile(path=../other/cat.webp)
        save ../other/cat.jpg as cat2.png
          ImageLoader(path=../other/cat.jpg) ConvertImage(format=png) SaveFile(path=cat2.png)
        copy /tmp/x/notes.txt to docs.txt
          FileLoader(path=/tmp/x/notes.txt) SaveFile(path=docs.txt)
        join notes.txt and ../other/more.txt into all.txt
          ReadFile(path=notes.txt) ReadFile(path=../other/more.txt) JoinText SaveFile(path=all.txt)
        zip notes.txt and /var/log/syslog
          FileLoader(path=notes.txt) FileLoader(path=/var/log/syslog) Zip SaveFile(path=files.zip)
        put ../logo.png on cat.jpg
          ImageLoader(path=cat.jpg) ImageLoader(path=../logo.png) Composite SaveFile
        put logo.png on ../other/cat.jpg
          ImageLoader(path=../other/cat.jpg) ImageLoader(path=logo.png) Composite SaveFile
        make ../other/cat.jpg gray in place
          ImageLoader(path=../other/cat.jpg) Grayscale SaveFile(path=../other/cat.jpg, overwrite=true)
        overwrite ../other/cat.jpg with dog.png
          ImageLoader(path=dog.png) ConvertImage(format=jpg) SaveFile(path=../other/cat.jpg, overwrite=true)
        overwrite cat.jpg with ../other/cat.jpg
          ImageLoader(path=../other/cat.jpg) SaveFile(path=cat.jpg, overwrite=true)
        delete ../other/notes.txt
          DeleteFile(path=../other/notes.txt)
        delete /tmp/x/
          : /tmp/x/ is a folder; I delete only files.
        move notes.txt to ../other/
          MoveFile(from=notes.txt, to=../other/notes.txt)
        move notes.txt to /tmp/x/old.txt
          MoveFile(from=notes.txt, to=/tmp/x/old.txt)
        move /tmp/x/a.txt to photos/
          MoveFile(from=/tmp/x/a.txt, to=photos/a.txt)
        rename ../other/notes.txt to ../other/old.txt
          MoveFile(from=../other/notes.txt, to=../other/old.txt)
        write hello to /tmp/x/hello.txt
          WriteFile(path=/tmp/x/hello.txt, text=hello)
        write "hello" into ../hello.txt
          WriteFile(path=../hello.txt, text=hello)
        show /etc/passwd
          ReadFile(path=/etc/passwd)
        show ../other/notes.txt
          ReadFile(path=../other/notes.txt)
        list /tmp
          ListFiles(path=/tmp)
        list the files in /tmp/x
          ListFiles(path=/tmp/x)
        list the pngs in ../other/
          ListFiles(path=../other, pattern=*.png)
        which jpgs are in ../other/?
          ListFiles(path=../other, pattern=*.jpg)
        make every jpg in ../other/ gray
          : I know only what is in this folder and in the folders in it. Name the files of ../other/ one by one.
        make all pngs in /tmp/x 100 px wide
          : I know only what is in this folder and in the folders in it. Name the files of /tmp/x one by one.
        make ../other/*.jpg gray
          : I know only what is in this folder and in the folders in it. Name the files of ../other/ one by one.
        make all photos in photos/ gray and save them in ../gray/
          ImageLoader(path=photos/sea.jpg) Grayscale SaveFile(path=../gray/sea.jpg)
        how many words are in /etc/passwd?
          ReadFile(path=/etc/passwd) CountWords
        how big is ../other/cat.jpg?
          ImageLoader(path=../other/cat.jpg) ImageInfo
        how big is /etc/passwd?
          : /etc/passwd
        what is in ../other/notes.txt?
          ReadFile(path=../other/notes.txt)
        is ../other/cat.jpg there?
          : I know only what is in this folder and in the folders in it. Say what to do with ../other/cat.jpg.
        count the words in "../my other/my notes.txt"
          ReadFile(path=../my other/my notes.txt) CountWords
        make ../other/cat.jpg and cat.jpg 80 px wide and zip them into /tmp/x/both.zip
          ImageLoader(path=../other/cat.jpg) Resize(width=80) ImageLoader(path=cat.jpg) Resize(width=80) Zip(name=both.zip) SaveFile(path=/tmp/x/both.zip)
        crop ../other/cat.jpg to 40x40, blur it a little and save it as ../other/face.png
          ImageLoader(path=../other/cat.jpg) Crop(width=40, height=40) Blur(radius=1.5) ConvertImage(format=png) SaveFile(path=../other/face.png)
        shrink ~/pictures/cat.jpg below 60 KB and save it in photos/
          ImageLoader(path=~/pictures/cat.jpg) CompressLocal(targetKB=60) SaveFile(path=photos/cat.jpg)
        make ../other/cat.jpg a 64 px square and rename notes.txt to old.txt
          ImageLoader(path=../other/cat.jpg) Resize(width=64, height=64, fill=true) SaveFile MoveFile(from=notes.txt, to=old.txt)
        rename ../a.jpg to ../b.jpg and make it square, 64 px
          : cannot be combined with more
        make cat.jpg an oval 64 px icon
          : “oval”, “icon”
        get items.0.name from ../data.json
          ReadFile(path=../data.json) JSONQuery(path=items.0.name)
        run ls
          Shell(command=ls)
        run /tmp/x/backup.sh
          Shell(command=/tmp/x/backup.sh)
        run ls /tmp
          Shell(command=ls /tmp)
        replace /usr/bin with /usr/local/bin in notes.txt
          ReadFile(path=notes.txt) ReplaceText(find=/usr/bin, replacement=/usr/local/bin) SaveFile
        replace "/usr/bin" with "/opt/bin" in notes.txt
          ReadFile(path=notes.txt) ReplaceText(find=/usr/bin, replacement=/opt/bin) SaveFile
        replace foo with bar in /etc/hosts
          ReadFile(path=/etc/hosts) ReplaceText(find=foo, replacement=bar) SaveFile
        replace dd/mm/yyyy with yyyy-mm-dd in notes.txt
          ReadFile(path=notes.txt) ReplaceText(find=dd/mm/yyyy, replacement=yyyy-mm-dd) SaveFile
        replace and/or with or in notes.txt
          ReadFile(path=notes.txt) ReplaceText(find=and/or, replacement=or) SaveFile
        replace 1/2 with 0.5 in notes.txt
          ReadFile(path=notes.txt) ReplaceText(find=1/2, replacement=0.5) SaveFile
        fetch http://127.0.0.1:9/a/b.json and save the field a/b to x.txt
          HTTPFetch(url=http://127.0.0.1:9/a/b.json) JSONQuery(path=a/b) SaveFile(path=x.txt)
        fetch example.com/x.json
          : There is no example.com/x.json here.
        download http://127.0.0.1:9/a/cat.jpg to /tmp/x/cat.jpg
          URLLoader(url=http://127.0.0.1:9/a/cat.jpg) SaveFile(path=/tmp/x/cat.jpg)
        what does /help do?
          : “/help”
        make cat.jpg b/w
          ImageLoader(path=cat.jpg) Grayscale SaveFile

        rotate /tmp/x/IMG_1.HEIC by 90 degrees and convert it to jpg
          ImageLoader(path=/tmp/x/IMG_1.HEIC) Rotate(angle=90) ConvertImage(format=jpg) SaveFile
        blur /tmp/x/cat.jpg and ../other/dog.png a little
          ImageLoader(path=/tmp/x/cat.jpg) Blur(radius=1.5) SaveFile ImageLoader(path=../other/dog.png) Blur(radius=1.5) SaveFile
        ../other/cat.jpg to webp
          ImageLoader(path=../other/cat.jpg) ConvertImage(format=webp) SaveFile
        is ../other/notes.txt longer than notes.txt?
          : “longer than”
        open /tmp/x/notes.txt please
          ReadFile(path=/tmp/x/notes.txt)
        compress "/tmp/my pictures/cat.jpg" to 60 KB and call it small.jpg
          ImageLoader(path=/tmp/my pictures/cat.jpg) CompressLocal(targetKB=60) SaveFile(path=small.jpg)
        make a copy of /etc/hosts called hosts.txt
          FileLoader(path=/etc/hosts) SaveFile(path=hosts.txt)
        convert cat.jpg to png in /tmp/x/
          ImageLoader(path=cat.jpg) ConvertImage(format=png) SaveFile(path=/tmp/x/cat.png)
        what's the resolution of /tmp/x/cat.jpg
          ImageLoader(path=/tmp/x/cat.jpg) ImageInfo
        read /etc/hostname
          ReadFile(path=/etc/hostname)
        get the field name from /tmp/x/data.json and save it to name.txt
          ReadFile(path=/tmp/x/data.json) JSONQuery(path=name) SaveFile(path=name.txt)
        merge data.json and ../data.json into /tmp/x/both.json
          ReadFile(path=data.json) ReadFile(path=../data.json) JSONMerge SaveFile(path=/tmp/x/both.json)
        replace cat.jpg with ../other/cat.jpg
          ImageLoader(path=../other/cat.jpg) SaveFile(path=cat.jpg, overwrite=true)
        make /work/cat.jpg gray and save it as /work/gray.jpg
          ImageLoader(path=cat.jpg) Grayscale SaveFile(path=gray.jpg)
        make cat.jpg gray and save it as /work/dog.png
          : dog.png is there already. Say “overwrite dog.png”, or give another name.
        delete ../other/
          : ../other/ is a folder; I delete only files.
        delete the files in /tmp/x
          : I know only what is in this folder and in the folders in it. Name the files of /tmp/x one by one.
        delete /tmp
          : “/tmp”
        move all files to /tmp/x/
          MoveFile(from=book.pdf, to=/tmp/x/book.pdf) MoveFile(from=cat.jpg, to=/tmp/x/cat.jpg) MoveFile(from=data.json, to=/tmp/x/data.json) MoveFile(from=dog.png, to=/tmp/x/dog.png) MoveFile(from=logo.png, to=/tmp/x/logo.png) MoveFile(from=notes.txt, to=/tmp/x/notes.txt) MoveFile(from=deep, to=/tmp/x/deep) MoveFile(from=photos, to=/tmp/x/photos)
        move every png from ../other/ to photos/
          : ../other/ is a folder; I move only files.
        copy every png to /tmp/x/
          ImageLoader(path=dog.png) SaveFile(path=/tmp/x/dog.png) ImageLoader(path=logo.png) SaveFile(path=/tmp/x/logo.png)
        zip the files in ../other
          : I know only what is in this folder and in the folders in it. Name the files of ../other one by one.
        zip /tmp/x
          FileLoader(path=/tmp/x) Zip(name=x.zip) SaveFile(path=x.zip)
        find notes.txt in /home
          : “notes.txt”

        resize cat.jpg in ../other to 80 px
          ImageLoader(path=../other/cat.jpg) Resize(width=80) SaveFile
        count the words of more.txt in the folder /tmp/x
          ReadFile(path=/tmp/x/more.txt) CountWords
        make cat.jpg from ../other gray and save it in photos/
          ImageLoader(path=../other/cat.jpg) Grayscale SaveFile(path=photos/cat.jpg)
        make cat.jpg gray in /tmp/x/
          ImageLoader(path=cat.jpg) Grayscale SaveFile(path=/tmp/x/cat.jpg)
        put cat.jpg in /tmp/x/
          MoveFile(from=cat.jpg, to=/tmp/x/cat.jpg)
        save cat.jpg in /tmp/x as a png
          ImageLoader(path=cat.jpg) ConvertImage(format=png) SaveFile(path=/tmp/x)
        delete notes.txt in /tmp/x
          : “in
        move notes.txt from /tmp/x to photos/
          MoveFile(from=/tmp/x/notes.txt, to=photos/notes.txt)
        zip every jpg in /tmp/x/all.zip
          FileLoader(path=cat.jpg) Zip(name=all.zip) SaveFile(path=/tmp/x/all.zip)
        how many words are in notes.txt in /tmp/x?
          ReadFile(path=/tmp/x/notes.txt) CountWords

        # Rename and more.
        rename cat.jpg to new.jpg and make it 100 px wide
          : cannot be combined with more
        rename notes.txt to old.txt and count the words in it
          : cannot be combined with more
        rename cat.jpg to new.jpg and make new.jpg 100 px wide
          : cannot be combined with more
        rename cat.jpg to new.jpg, then make cat.jpg 100 px wide
          : would be missing
        make cat.jpg 100 px wide and rename it to new.jpg
          ImageLoader(path=cat.jpg) Resize(width=100) SaveFile(path=new.jpg)
        make dog.png gray, rename cat.jpg to new.jpg and make it 100 px wide
          : cannot be combined with more
        move notes.txt to photos/ and zip it
          : cannot be combined with more
        rename notes.txt to old.txt and replace foo with bar in it
          : cannot be combined with more
        rename notes.txt to old.txt and show it
          : cannot be combined with more
        rename notes.txt to old.txt and tell me how many words it has
          : “and tell me how many words it has”
        delete notes.txt and count the words in it
          : cannot be combined with more
        rename notes.txt to old.txt and make cat.jpg gray
          MoveFile(from=notes.txt, to=old.txt) ImageLoader(path=cat.jpg) Grayscale SaveFile
        make cat.jpg gray and rename notes.txt to old.txt
          ImageLoader(path=cat.jpg) Grayscale SaveFile MoveFile(from=notes.txt, to=old.txt)
        rename notes.txt to old.txt and that is it
          : “and that is it”
        rename notes.txt to old.txt and move it to photos/
          : cannot be combined with more
        rename cat.jpg to new.jpg and save it as a png
          : cannot be combined with more

        # Squares
        I need cat.jpg as a square 512 px thumbnail
          ImageLoader(path=cat.jpg) Resize(width=512, height=512, fill=true) SaveFile
        make cat.jpg square
          ImageLoader(path=cat.jpg) Square SaveFile
        make cat.jpg a 400 px square
          ImageLoader(path=cat.jpg) Resize(width=400, height=400, fill=true) SaveFile
        make cat.jpg square, 300 px
          ImageLoader(path=cat.jpg) Resize(width=300, height=300, fill=true) SaveFile
        make cat.jpg square and 300 px wide
          ImageLoader(path=cat.jpg) Resize(width=300, height=300, fill=true) SaveFile
        make cat.jpg 300 px wide and square
          ImageLoader(path=cat.jpg) Resize(width=300, height=300, fill=true) SaveFile
        resize cat.jpg to a 256x256 square
          ImageLoader(path=cat.jpg) Resize(width=256, height=256, fill=true) SaveFile
        make cat.jpg a 300x200 square
          : A square is as wide as it is high; 300×200 is none. Say one of the two.
        crop cat.jpg square
          ImageLoader(path=cat.jpg) Square SaveFile
        crop cat.jpg square, 400 px wide
          ImageLoader(path=cat.jpg) Resize(width=400, height=400, fill=true) SaveFile
        crop cat.jpg to a square of 400 px and blur it a little
          ImageLoader(path=cat.jpg) Resize(width=400, height=400, fill=true) Blur(radius=1.5) SaveFile
        make square 64 px thumbnails of every png
          ImageLoader(path=dog.png) Resize(width=64, height=64, fill=true) SaveFile ImageLoader(path=logo.png) Resize(width=64, height=64, fill=true) SaveFile
        make a square thumbnail of cat.jpg
          : How large is the square? Its width and height
        make cat.jpg square, under 60 KB
          ImageLoader(path=cat.jpg) Square CompressLocal(targetKB=60) SaveFile
        square cat.jpg to 200 px
          ImageLoader(path=cat.jpg) Resize(width=200, height=200, fill=true) SaveFile
        i need a square version of ../other/cat.jpg, 128 px, as png
          ImageLoader(path=../other/cat.jpg) Resize(width=128, height=128, fill=true) ConvertImage(format=png) SaveFile
        replace square with round in notes.txt
          ReadFile(path=notes.txt) ReplaceText(find=square, replacement=round) SaveFile
        make cat.jpg a circular 512 px thumbnail
          : I cannot “circular”
        make cat.jpg round
          : I cannot “round”
        make cat.jpg square 512 px, grayscale, under 60 KB
          ImageLoader(path=cat.jpg) Resize(width=512, height=512, fill=true) Grayscale CompressLocal(targetKB=60) SaveFile

        # Examples
        put notes.txt in the trash
          : as in “delete notes.txt”
        move notes.txt to the trash
          : as in “delete notes.txt”
        put cat.jpg in the bin
          : there is no trash here
        put notes.txt in order
          : “in order”
        notes.txt
          : such as “count the words in notes.txt”
        data.json please
          : such as “get the field name from data.json”
        do something with data.json
          : “something”
        take care of book.pdf
          : “care”
        throw notes.txt in the trash
          : as in “delete notes.txt”
        trash notes.txt
          DeleteFile(path=notes.txt)
        sing about cats
          : I cannot “sing”
        """#
}
