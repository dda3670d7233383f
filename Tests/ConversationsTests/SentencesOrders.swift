extension Sentence {
    /// Looking, the web, moving and deleting, what cannot be done.
    static let orders = #"""
        files: cat.jpg, dog.png, logo.png, bird.JPG, notes.txt, data.json, a.json, b.json, a.txt, docs/, my holiday.jpg, bigphoto.jpg

        # Looking.
        list the files
          ListFiles
        which pngs are here?
          ListFiles(pattern=*.png)
        how big is cat.jpg
          ImageLoader(path=cat.jpg) ImageInfo
        what are the dimensions of dog.png?
          ImageLoader(path=dog.png) ImageInfo
        tell me the dimensions of dog.png
          ImageLoader(path=dog.png) ImageInfo
        how big is notes.txt?
          : 1000 bytes

        # The web, the shell, time.
        download http://127.0.0.1:8080/pic as x.png
          URLLoader(url=http://127.0.0.1:8080/pic) SaveFile(path=x.png)
        download http://127.0.0.1:8080/a/pic.jpg and make it grayscale
          URLLoader(url=http://127.0.0.1:8080/a/pic.jpg) Grayscale SaveFile
        run ls -la
          Shell(command=ls -la)
        execute `make`
          Shell(command=make)
        wait 5 seconds
          Delay(seconds=5)
        wait two minutes and then blur cat.jpg
          ImageLoader(path=cat.jpg) Delay(seconds=120) Blur SaveFile

        # Moving and deleting.
        move a.txt to docs/
          MoveFile(from=a.txt, to=docs/a.txt)
        please rename "notes.txt" to "my notes.txt"
          MoveFile(from=notes.txt, to=my notes.txt)
        delete notes.txt and a.txt
          DeleteFile(path=notes.txt) DeleteFile(path=a.txt)
        delete ghost.txt
          : There is no ghost.txt here
        delete all the pngs
          : name one by one
        remove the background from cat.jpg
          : cannot “remove the background”
        should I delete notes.txt?
          : cannot answer
        don't delete notes.txt
          : what “don't delete” forbids
        rename notes.txt to a.txt
          : there already
        delete it
          : not sure

        # What cannot be done.
        shrink dgo.png to 100 px
          : There is no dgo.png here. Did you mean dog.png?
        translate notes.txt
          : cannot “translate”
        unzip pack.zip
          : no
        make cat.jpg sepia
          ImageLoader(path=cat.jpg) Sepia SaveFile
        blur it
          : which file
        grayscale notes.txt
          : takes a picture
        hello
          : Hello
        thanks a lot
          : welcome
        help
          : tools here
        what can you do?
          : tools here
        is there a dog.jpg?
          : There is no dog.jpg here
        email cat.jpg to bob
          : cannot “email”

        # Politeness, typos, many sentences.
        hey, could you plaese mkae cat.jpg 800 px wide and save it as wide.jpg? thanks!
          ImageLoader(path=cat.jpg) Resize(width=800) SaveFile(path=wide.jpg)
        I'd like cat.jpg in black and white. After that, make it 300 px wide. Finally save it as bw.jpg.
          ImageLoader(path=cat.jpg) Grayscale Resize(width=300) SaveFile(path=bw.jpg)
        blur and grayscale cat.jpg
          ImageLoader(path=cat.jpg) Blur Grayscale SaveFile
        make cat.jpg gray and blur dog.png
          ImageLoader(path=cat.jpg) Grayscale SaveFile ImageLoader(path=dog.png) Blur SaveFile
        don't forget to blur cat.jpg
          ImageLoader(path=cat.jpg) Blur SaveFile
        """#
}
