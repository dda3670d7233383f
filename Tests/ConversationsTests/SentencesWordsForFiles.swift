extension Sentence {
    /// Texts, files, the web and many files at once, in the words of many people.
    static let wordsForFiles = #"""
        files: cat.jpg, dog.png, logo.png, mask.png, holiday photo.jpeg, été.png, IMG_2041.JPG, notes.txt, todo.md, data.json, users.json, draft.txt, pics/

        # Asking about pictures and files.
        how wide is cat.jpg?
          ImageLoader(path=cat.jpg) ImageInfo
        what size is dog.png?
          ImageLoader(path=dog.png) ImageInfo
        info on IMG_2041.JPG
          ImageLoader(path=IMG_2041.JPG) ImageInfo
        show me the properties of cat.jpg
          ImageLoader(path=cat.jpg) ImageInfo
        how many megapixels does cat.jpg have
          ImageLoader(path=cat.jpg) ImageInfo
        what's the resolution of été.png?
          ImageLoader(path=été.png) ImageInfo
        dimensions of cat.jpg and dog.png
          ImageLoader(path=cat.jpg) ImageInfo ImageLoader(path=dog.png) ImageInfo
        what format is dog.png?
          ImageLoader(path=dog.png) ImageInfo
        ls
          ListFiles
        ls pics
          ListFiles(path=pics)
        what's in pics?
          ListFiles(path=pics)
        what is in this folder
          ListFiles
        show all files
          ListFiles
        show me what's here
          ListFiles
        list the contents of pics/
          ListFiles(path=pics)
        list *.json
          ListFiles(pattern=*.json)
        which json files do I have?
          ListFiles(pattern=*.json)
        list all markdown files
          ListFiles(pattern=*.md)
        are there any pngs?
          ListFiles(pattern=*.png)
        how many files are in this folder?
          : There are 12 files here.
        find all txt files
          : "draft.txt", "notes.txt"

        # Text.
        how long is notes.txt?
          ReadFile(path=notes.txt) CountWords
        wc notes.txt
          ReadFile(path=notes.txt) CountWords
        number of words in draft.txt
          ReadFile(path=draft.txt) CountWords
        count how many lines there are in todo.md
          ReadFile(path=todo.md) CountWords
        tell me how many characters draft.txt has
          ReadFile(path=draft.txt) CountWords
        count words of notes.txt and draft.txt
          ReadFile(path=notes.txt) CountWords ReadFile(path=draft.txt) CountWords
        read me notes.txt
          ReadFile(path=notes.txt)
        cat notes.txt
          ReadFile(path=notes.txt)
        print todo.md
          ReadFile(path=todo.md)
        display the contents of draft.txt
          ReadFile(path=draft.txt)
        what does notes.txt say?
          ReadFile(path=notes.txt)
        open draft.txt
          ReadFile(path=draft.txt)
        change every "Bob" in draft.txt to "Alice"
          ReadFile(path=draft.txt) ReplaceText(find=Bob, replacement=Alice) SaveFile
        swap foo for bar in draft.txt
          ReadFile(path=draft.txt) ReplaceText(find=foo, replacement=bar) SaveFile
        In draft.txt, substitute “colour” with “color” and store it as us.txt
          ReadFile(path=draft.txt) ReplaceText(find=colour, replacement=color) SaveFile(path=us.txt)
        replace 'cat' with 'dog' in notes.txt, then count the words
          ReadFile(path=notes.txt) ReplaceText(find=cat, replacement=dog) SaveFile CountWords
        replace every comma in notes.txt with a semicolon
          ReadFile(path=notes.txt) ReplaceText(find=,, replacement=;) SaveFile
        use bar instead of foo in notes.txt
          ReadFile(path=notes.txt) ReplaceText(find=foo, replacement=bar) SaveFile
        join notes.txt and draft.txt into all.txt
          ReadFile(path=notes.txt) ReadFile(path=draft.txt) JoinText SaveFile(path=all.txt)
        append draft.txt to notes.txt and save it as long.txt
          ReadFile(path=notes.txt) ReadFile(path=draft.txt) JoinText SaveFile(path=long.txt)
        combine notes.txt with draft.txt
          ReadFile(path=notes.txt) ReadFile(path=draft.txt) JoinText SaveFile
        merge notes.txt, draft.txt and todo.md into one file called everything.txt
          ReadFile(path=notes.txt) ReadFile(path=draft.txt) ReadFile(path=todo.md) JoinText SaveFile(path=everything.txt)
        put "buy milk" into shopping.txt
          WriteFile(path=shopping.txt, text=buy milk)
        write "see you at 8" to memo.txt
          WriteFile(path=memo.txt, text=see you at 8)
        make a file hello.txt that says hello world
          : “world”
        create a file called empty.txt
          WriteFile(path=empty.txt, text=)
        note down "call mum" in memo.txt
          WriteFile(path=memo.txt, text=call mum)
        save the text "good morning" as greeting.txt
          WriteFile(path=greeting.txt, text=good morning)
        append "x" to notes.txt
          ReadFile(path=notes.txt) AppendText(text=x) SaveFile(path=notes.txt, overwrite=true)

        # JSON.
        what is the value of items.0.price in data.json?
          ReadFile(path=data.json) JSONQuery(path=items.0.price)
        extract the field user.name from users.json
          ReadFile(path=users.json) JSONQuery(path=user.name)
        take users.0.email out of users.json and write it to mail.txt
          ReadFile(path=users.json) JSONQuery(path=users.0.email) SaveFile(path=mail.txt)
        read version from data.json
          ReadFile(path=data.json) JSONQuery(path=version)
        pull the key "title" out of data.json
          ReadFile(path=data.json) JSONQuery(path=title)
        show the name in data.json
          ReadFile(path=data.json) JSONQuery(path=name)
        look up address.city in users.json
          ReadFile(path=users.json) JSONQuery(path=address.city)
        merge data.json with users.json and save as merged.json
          ReadFile(path=data.json) ReadFile(path=users.json) JSONMerge SaveFile(path=merged.json)
        combine users.json and data.json
          ReadFile(path=users.json) ReadFile(path=data.json) JSONMerge SaveFile
        print data.json
          ReadFile(path=data.json)
        fill the template "Dear {{name}}" from data.json
          ReadFile(path=data.json) TextTemplate(template=Dear {{name}})
        fill the blanks of "Hi {{name}}, bye" with data.json and save it as letter.txt
          ReadFile(path=data.json) TextTemplate(template=Hi {{name}}, bye) SaveFile(path=letter.txt)

        # Web.
        GET http://127.0.0.1:8000/status
          HTTPFetch(url=http://127.0.0.1:8000/status)
        fetch http://localhost:8000/a.json and save it as a.json
          HTTPFetch(url=http://localhost:8000/a.json) SaveFile(path=a.json)
        grab http://127.0.0.1:8000/x.json, take the field a.b, save to ab.txt
          HTTPFetch(url=http://127.0.0.1:8000/x.json) JSONQuery(path=a.b) SaveFile(path=ab.txt)
        download https://example.org/p.jpg and make it 300 px wide
          URLLoader(url=https://example.org/p.jpg) Resize(width=300) SaveFile
        download https://example.org/p.jpg, gray it and store it as g.jpg
          URLLoader(url=https://example.org/p.jpg) Grayscale SaveFile(path=g.jpg)
        please get me the items.0.name of http://127.0.0.1:9/x.json
          HTTPFetch(url=http://127.0.0.1:9/x.json) JSONQuery(path=items.0.name)
        from http://127.0.0.1:9/x.json extract the value of total and put it in total.txt
          HTTPFetch(url=http://127.0.0.1:9/x.json) JSONQuery(path=total) SaveFile(path=total.txt)
        how many words does http://127.0.0.1:9/p.txt have
          HTTPFetch(url=http://127.0.0.1:9/p.txt) CountWords
        request http://127.0.0.1:9/api
          HTTPFetch(url=http://127.0.0.1:9/api)
        send a POST request to http://127.0.0.1:9/api
          HTTPFetch(url=http://127.0.0.1:9/api, method=POST)
        send a DELETE request to http://127.0.0.1:9/api/1
          HTTPFetch(url=http://127.0.0.1:9/api/1, method=DELETE)
        do a HEAD on http://127.0.0.1:9/api
          HTTPFetch(url=http://127.0.0.1:9/api, method=HEAD)
        download ftp://127.0.0.1/x
          :
        download the internet
          :
        fetch example.org
          :

        # Zip.
        zip notes.txt
          FileLoader(path=notes.txt) Zip(name=notes.zip) SaveFile(path=notes.zip)
        bundle notes.txt and draft.txt as texts.zip
          FileLoader(path=notes.txt) FileLoader(path=draft.txt) Zip(name=texts.zip) SaveFile(path=texts.zip)
        zip up notes.txt, todo.md
          FileLoader(path=notes.txt) FileLoader(path=todo.md) Zip SaveFile(path=files.zip)
        compress notes.txt and draft.txt into an archive
          FileLoader(path=notes.txt) FileLoader(path=draft.txt) Zip SaveFile(path=files.zip)
        put notes.txt and cat.jpg in a zip file
          FileLoader(path=notes.txt) FileLoader(path=cat.jpg) Zip SaveFile(path=files.zip)
        pack the json files into jsons.zip
          FileLoader(path=data.json) FileLoader(path=users.json) Zip(name=jsons.zip) SaveFile(path=jsons.zip)
        zip pics
          Zip(name=pics.zip, paths=["pics"]) SaveFile(path=pics.zip)
        make dog.png and logo.png grayscale, then zip the results as gray.zip
          ImageLoader(path=dog.png) Grayscale ImageLoader(path=logo.png) Grayscale Zip(name=gray.zip) SaveFile(path=gray.zip)
        archive all txt files as backup.zip
          FileLoader(path=draft.txt) FileLoader(path=notes.txt) Zip(name=backup.zip) SaveFile(path=backup.zip)

        # Shell and waiting.
        run the command `date`
          Shell(command=date)
        sh: uname -a
          :
        execute "ls -l pics"
          Shell(command=ls -l pics)
        in a shell, run `df -h`
          Shell(command=df -h)
        run rm -rf /
          Shell(command=rm -rf /)
        sleep 10
          Delay(seconds=10)
        wait half a minute
          Delay(seconds=30)
        wait for 3 minutes, then make cat.jpg gray
          ImageLoader(path=cat.jpg) Delay(seconds=180) Grayscale SaveFile
        hold on for ten seconds
          Delay(seconds=10)
        wait an hour
          Delay(seconds=3600)
        wait a moment
          :

        # Moving.
        rename cat.jpg as kitty.jpg
          MoveFile(from=cat.jpg, to=kitty.jpg)
        rename cat.jpg kitty.jpg
          MoveFile(from=cat.jpg, to=kitty.jpg)
        please change the name of notes.txt to ideas.txt
          MoveFile(from=notes.txt, to=ideas.txt)
        move notes.txt into pics
          MoveFile(from=notes.txt, to=pics/notes.txt)
        mv notes.txt pics/n.txt
          MoveFile(from=notes.txt, to=pics/n.txt)
        relocate draft.txt to pics/
          MoveFile(from=draft.txt, to=pics/draft.txt)
        give notes.txt the name ideas.txt
          MoveFile(from=notes.txt, to=ideas.txt)
        call cat.jpg kitty.jpg from now on
          :
        rename notes.txt to ideas
          MoveFile(from=notes.txt, to=ideas)
        rename notes.txt
          :
        rename notes.txt to draft.txt
          : there already
        rename ghost.txt to x.txt
          : There is no ghost.txt here
        move all txt files to pics
          MoveFile(from=draft.txt, to=pics/draft.txt) MoveFile(from=notes.txt, to=pics/notes.txt)
        move cat.jpg to nowhere/
          MoveFile(from=cat.jpg, to=nowhere/cat.jpg)
        copy notes.txt to backup.txt
          FileLoader(path=notes.txt) SaveFile(path=backup.txt)
        make a copy of cat.jpg called cat2.jpg
          ImageLoader(path=cat.jpg) SaveFile(path=cat2.jpg)
        duplicate notes.txt as notes2.txt
          FileLoader(path=notes.txt) SaveFile(path=notes2.txt)
        files: one.jpg, two.JPG, three.jpeg, x.png, a.txt, b.txt, old/

        # Many files.
        shrink all the jpgs to 500 px
          ImageLoader(path=one.jpg) Resize(width=500, enlarge=false) SaveFile ImageLoader(path=three.jpeg) Resize(width=500, enlarge=false) SaveFile ImageLoader(path=two.JPG) Resize(width=500, enlarge=false) SaveFile
        make each jpg black and white
          ImageLoader(path=one.jpg) Grayscale SaveFile ImageLoader(path=three.jpeg) Grayscale SaveFile ImageLoader(path=two.JPG) Grayscale SaveFile
        Every JPEG in this folder: 800 px wide, then zip them up as web.zip
          ImageLoader(path=one.jpg) Resize(width=800) ImageLoader(path=three.jpeg) Resize(width=800) ImageLoader(path=two.JPG) Resize(width=800) Zip(name=web.zip) SaveFile(path=web.zip)
        resize *.jpg to 90px
          ImageLoader(path=one.jpg) Resize(width=90) SaveFile ImageLoader(path=two.JPG) Resize(width=90) SaveFile
        convert the jpgs here to png
          ImageLoader(path=one.jpg) ConvertImage(format=png) SaveFile ImageLoader(path=three.jpeg) ConvertImage(format=png) SaveFile ImageLoader(path=two.JPG) ConvertImage(format=png) SaveFile
        zip everything here
          FileLoader(path=a.txt) FileLoader(path=b.txt) FileLoader(path=one.jpg) FileLoader(path=three.jpeg) FileLoader(path=two.JPG) FileLoader(path=x.png) Zip(paths=["old"]) SaveFile(path=files.zip)
        zip all the files
          FileLoader(path=a.txt) FileLoader(path=b.txt) FileLoader(path=one.jpg) FileLoader(path=three.jpeg) FileLoader(path=two.JPG) FileLoader(path=x.png) Zip(paths=["old"]) SaveFile(path=files.zip)
        zip all pictures into photos.zip
          FileLoader(path=one.jpg) FileLoader(path=three.jpeg) FileLoader(path=two.JPG) FileLoader(path=x.png) Zip(name=photos.zip) SaveFile(path=photos.zip)
        count the words in all text files
          ReadFile(path=a.txt) CountWords ReadFile(path=b.txt) CountWords
        count the words of each txt
          ReadFile(path=a.txt) CountWords ReadFile(path=b.txt) CountWords
        get all images under 200 KB
          ImageLoader(path=one.jpg) CompressLocal(targetKB=200) SaveFile ImageLoader(path=three.jpeg) CompressLocal(targetKB=200) SaveFile ImageLoader(path=two.JPG) CompressLocal(targetKB=200) SaveFile ImageLoader(path=x.png) CompressLocal(targetKB=200) SaveFile
        make every photo but x.png 300 px wide and put them into a zip
          ImageLoader(path=one.jpg) Resize(width=300) ImageLoader(path=three.jpeg) Resize(width=300) ImageLoader(path=two.JPG) Resize(width=300) Zip SaveFile(path=files.zip)
        scale both txt files
          :
        join all txt files to c.txt
          ReadFile(path=a.txt) ReadFile(path=b.txt) JoinText SaveFile(path=c.txt)
        take all jpgs, shrink them to 1200 pixels on the long side, compress each to 300 KB, and zip them
          ImageLoader(path=one.jpg) Resize(width=1200, height=1200, enlarge=false) CompressLocal(targetKB=300) ImageLoader(path=three.jpeg) Resize(width=1200, height=1200, enlarge=false) CompressLocal(targetKB=300) ImageLoader(path=two.JPG) Resize(width=1200, height=1200, enlarge=false) CompressLocal(targetKB=300) Zip SaveFile(path=files.zip)
        make the png gray
          ImageLoader(path=x.png) Grayscale SaveFile
        grayscale the png and the jpeg
          :
        move every jpg into old
          MoveFile(from=one.jpg, to=old/one.jpg) MoveFile(from=three.jpeg, to=old/three.jpeg) MoveFile(from=two.JPG, to=old/two.JPG)
        gray all pictures in old
          :
        convert every jpg to webp, quality 70, and pack them in a zip called w.zip
          ImageLoader(path=one.jpg) ConvertImage(format=webp, quality=70) ImageLoader(path=three.jpeg) ConvertImage(format=webp, quality=70) ImageLoader(path=two.JPG) ConvertImage(format=webp, quality=70) Zip(name=w.zip) SaveFile(path=w.zip)
        replace foo by bar in every txt
          ReadFile(path=a.txt) ReplaceText(find=foo, replacement=bar) SaveFile ReadFile(path=b.txt) ReplaceText(find=foo, replacement=bar) SaveFile
        which pictures are here?
          : "one.jpg", "three.jpeg", "two.JPG", "x.png"
        files: photo.jpg

        # One picture in an empty folder.
        make the photo 800 px wide
          ImageLoader(path=photo.jpg) Resize(width=800) SaveFile
        make this picture black and white
          ImageLoader(path=photo.jpg) Grayscale SaveFile
        resize my photo to 500x500
          ImageLoader(path=photo.jpg) Resize(width=500, height=500) SaveFile
        how large is the picture?
          ImageLoader(path=photo.jpg) ImageInfo
        compress the image to 100 KB and rename it small.jpg
          ImageLoader(path=photo.jpg) CompressLocal(targetKB=100) SaveFile(path=small.jpg)
        convert photo.jpg to JPG
          ImageLoader(path=photo.jpg) ConvertImage(format=jpg) SaveFile
        gray photo
          ImageLoader(path=photo.jpg) Grayscale SaveFile
        gray photo.jgp
          : Did you mean photo.jpg
        delete the photo
          :
        delete the picture
          :
        blur all the pictures here
          ImageLoader(path=photo.jpg) Blur SaveFile
        shrink every picture to 1200 px and zip them
          ImageLoader(path=photo.jpg) Resize(width=1200, enlarge=false) Zip(name=photo.zip) SaveFile(path=photo.zip)
        """#
}
