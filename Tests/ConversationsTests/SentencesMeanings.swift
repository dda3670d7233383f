extension Sentence {
    /// Phrases that once meant something else than they say: words that are names here, "everything", folders, commands.
    static let meanings = #"""
        files: a.jpg, b.png, letter.txt, log.txt, people.csv, users.json, backup.zip, old.tar.gz, docs/, docs/plan.txt, docs/draft.txt, photos/, photos/sea.jpg, photos/IMG_1.jpg, usb/, music/

        # A word that is a folder here is that folder.
        rename photos to pics
          MoveFile(from=photos, to=pics)
        move photos to usb
          MoveFile(from=photos, to=usb/photos)
        copy photos to backup
          CopyFolder(from=photos, to=backup)
        copy photos to usb
          CopyFolder(from=photos, to=usb/photos)
        zip photos
          Zip(name=photos.zip, paths=["photos"]) SaveFile(path=photos.zip)
        zip the photos into p.zip
          Zip(name=p.zip, paths=["photos"]) SaveFile(path=p.zip)
        zip all photos
          FileLoader(path=a.jpg) FileLoader(path=b.png) Zip SaveFile(path=files.zip)
        copy all photos to usb
          ImageLoader(path=a.jpg) SaveFile(path=usb/a.jpg) ImageLoader(path=b.png) SaveFile(path=usb/b.png)
        convert photos to webp
          : say “the folder photos” or “all photos”
        convert all photos to webp
          ImageLoader(path=a.jpg) ConvertImage(format=webp) SaveFile ImageLoader(path=b.png) ConvertImage(format=webp) SaveFile
        make the folder photos gray
          ImageLoader(path=photos/IMG_1.jpg) Grayscale SaveFile(path=photos/IMG_1-1.jpg) ImageLoader(path=photos/sea.jpg) Grayscale SaveFile(path=photos/sea-1.jpg)
        list photos
          ListFiles(path=photos)
        zip music
          Zip(name=music.zip, paths=["music"]) SaveFile(path=music.zip)
        move music into usb
          MoveFile(from=music, to=usb/music)
        delete photos
          : photos is a folder

        # Everything is everything.
        copy everything to usb
          ImageLoader(path=a.jpg) SaveFile(path=usb/a.jpg) ImageLoader(path=b.png) SaveFile(path=usb/b.png) FileLoader(path=backup.zip) SaveFile(path=usb/backup.zip) FileLoader(path=letter.txt) SaveFile(path=usb/letter.txt) FileLoader(path=log.txt) SaveFile(path=usb/log.txt) FileLoader(path=old.tar.gz) SaveFile(path=usb/old.tar.gz) FileLoader(path=people.csv) SaveFile(path=usb/people.csv) FileLoader(path=users.json) SaveFile(path=usb/users.json) CopyFolder(from=docs, to=usb/docs) CopyFolder(from=music, to=usb/music) CopyFolder(from=photos, to=usb/photos)
        move everything except docs to usb
          MoveFile(from=a.jpg, to=usb/a.jpg) MoveFile(from=b.png, to=usb/b.png) MoveFile(from=backup.zip, to=usb/backup.zip) MoveFile(from=letter.txt, to=usb/letter.txt) MoveFile(from=log.txt, to=usb/log.txt) MoveFile(from=old.tar.gz, to=usb/old.tar.gz) MoveFile(from=people.csv, to=usb/people.csv) MoveFile(from=users.json, to=usb/users.json) MoveFile(from=music, to=usb/music) MoveFile(from=photos, to=usb/photos)
        zip everything except the jsons
          FileLoader(path=a.jpg) FileLoader(path=b.png) FileLoader(path=backup.zip) FileLoader(path=letter.txt) FileLoader(path=log.txt) FileLoader(path=old.tar.gz) FileLoader(path=people.csv) Zip(paths=["docs","music","photos","usb"]) SaveFile(path=files.zip)
        copy the docs folder
          CopyFolder(from=docs, to=docs-1)
        copy docs to photos
          CopyFolder(from=docs, to=photos/docs)
        move docs into photos
          MoveFile(from=docs, to=photos/docs)
        put docs into photos
          MoveFile(from=docs, to=photos/docs)
        tar the docs folder
          Tar(name=docs.tar.gz, paths=["docs"]) SaveFile(path=docs.tar.gz)
        compress the photos folder
          Zip(name=photos.zip, paths=["photos"]) SaveFile(path=photos.zip)
        zip docs and letter.txt
          FileLoader(path=letter.txt) Zip(paths=["docs"]) SaveFile(path=files.zip)
        copy all txt files in all folders to usb
          FileLoader(path=docs/draft.txt) SaveFile(path=usb/draft.txt) FileLoader(path=docs/plan.txt) SaveFile(path=usb/plan.txt) FileLoader(path=letter.txt) SaveFile(path=usb/letter.txt) FileLoader(path=log.txt) SaveFile(path=usb/log.txt)
        make all jpgs gray, in all folders
          ImageLoader(path=a.jpg) Grayscale SaveFile ImageLoader(path=photos/IMG_1.jpg) Grayscale SaveFile(path=photos/IMG_1-1.jpg) ImageLoader(path=photos/sea.jpg) Grayscale SaveFile(path=photos/sea-1.jpg)

        # A folder behind "into" is a place, and never the files in it.
        put it into docs
          : Which file?
        put letter.txt into docs
          MoveFile(from=letter.txt, to=docs/letter.txt)
        move it to docs
          : Which file

        # A command is taken as it is typed.
        run ls ..
          Shell(command=ls ..)
        run zip -r a.zip .
          Shell(command=zip -r a.zip .)
        run mv a.jpg ..
          Shell(command=mv a.jpg ..)
        run rm -f scan?
          Shell(command=rm -f scan?)
        run echo "what now?!"
          Shell(command=echo "what now?!")
        run false
          Shell(command=false)
        run pdfunite a.pdf b.pdf c.pdf
          Shell(command=pdfunite a.pdf b.pdf c.pdf)
        run for i in 1 2; do echo $i; done
          Shell(command=for i in 1 2; do echo $i; done)
        !git status
          Shell(command=git status)
        ! ls -la | wc -l
          Shell(command=ls -la | wc -l)
        make a.jpg gray, then run ls ..
          ImageLoader(path=a.jpg) Grayscale SaveFile Shell(command=ls ..)
        run `ls` and save it as x.txt
          Shell(command=ls) SaveFile(path=x.txt)
        run it again
          :
        run the thing
          :

        # Turns and mirrors.
        flip a.jpg
          ImageLoader(path=a.jpg) Mirror SaveFile
        flip a.jpg left to right
          ImageLoader(path=a.jpg) Mirror(direction=horizontal) SaveFile
        turn a.jpg clockwise by a quarter turn
          ImageLoader(path=a.jpg) Rotate(angle=90) SaveFile
        turn a.jpg a quarter turn clockwise
          ImageLoader(path=a.jpg) Rotate(angle=90) SaveFile
        turn a.jpg a quarter turn counterclockwise
          ImageLoader(path=a.jpg) Rotate(angle=-90) SaveFile
        turn a.jpg a half turn clockwise
          ImageLoader(path=a.jpg) Rotate(angle=180) SaveFile

        # Archives.
        unzip backup.zip into a folder called stuff
          FileLoader(path=backup.zip) Unpack(folder=stuff)
        unpack old.tar.gz into a folder named archive
          FileLoader(path=old.tar.gz) Unpack(folder=archive)
        unzip backup.zip into stuff
          FileLoader(path=backup.zip) Unpack(folder=stuff)
        unzip backup.zip in colour
          :
        turn old.tar.gz into a zip
          FileLoader(path=old.tar.gz) TarToZip SaveFile
        i need old.tar.gz as a zip
          FileLoader(path=old.tar.gz) TarToZip SaveFile

        # Texts.
        replace Smith with Jones in letter.txt for print
          : “for print”
        replace Smith with Jones in letter.txt with my name on it
          :
        write happy days to card.txt
          :
        take the lines with ERROR from log.txt and count them
          ReadFile(path=log.txt) FilterLines(text=ERROR) CountWords
        which files contain the word plumber
          FindText(text=plumber)
        """#
}
