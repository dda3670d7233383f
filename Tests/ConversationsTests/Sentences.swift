/// What the built-in planner makes of sentences. A line `files: …` says what is there (1000 bytes each, `big…` 5 MB); then a sentence,
/// and below it, indented, the steps or, after a colon, what the words contain.
let sentenceTable = #"""
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
      ImageLoader(path=dog.png) Resize(width=1200) ImageLoader(path=logo.png) Resize(width=1200) Zip SaveFile

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
      : pixels
    make cat.jpg half the size
      : pixels
    make cat.jpg 90000 px wide
      : 65535
    make cat.jpg smaller
      : how large
    make the width of cat.jpg 640 and the height 480
      ImageLoader(path=cat.jpg) Resize(width=640, height=480) SaveFile
    make cat.jpg larger than 5 MB
      : not larger
    make a 200px thumbnail of each png
      ImageLoader(path=dog.png) Resize(width=200) SaveFile ImageLoader(path=logo.png) Resize(width=200) SaveFile
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
      : cannot make pdf
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
      ImageLoader(path=cat.jpg) Resize(width=300) SaveFile(path=cat.jpg, overwrite=true)
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
      WriteFile(path=hello.txt, text=hello world)
    write "a, b and c" into a file called list.txt
      WriteFile(path=list.txt, text=a, b and c)
    write hello to notes.txt
      : notes.txt is there already
    create todo.txt with the text buy milk
      WriteFile(path=todo.txt, text=buy milk)
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
      : not sure what to remove
    should I delete notes.txt?
      : cannot answer
    don't delete notes.txt
      : did not find anything
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
      : cannot “sepia”
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

    # More of each, in other words.
    shrink cat.jpg so that it is 800px wide and under 60KB
      ImageLoader(path=cat.jpg) Resize(width=800) CompressLocal(targetKB=60) SaveFile
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
      FileLoader(path=a.txt) FileLoader(path=notes.txt) Zip SaveFile
    make a zip of cat.jpg and dog.png
      FileLoader(path=cat.jpg) FileLoader(path=dog.png) Zip SaveFile
    pack cat.jpg, dog.png and notes.txt together into an archive called stuff.zip
      FileLoader(path=cat.jpg) FileLoader(path=dog.png) FileLoader(path=notes.txt) Zip(name=stuff.zip) SaveFile(path=stuff.zip)
    convert dog.png and logo.png to jpg and zip them as jpgs.zip
      ImageLoader(path=dog.png) ConvertImage(format=jpg) ImageLoader(path=logo.png) ConvertImage(format=jpg) Zip(name=jpgs.zip) SaveFile(path=jpgs.zip)
    blur cat.jpg, make dog.png gray and zip both
      ImageLoader(path=cat.jpg) Blur ImageLoader(path=dog.png) Grayscale Zip SaveFile
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
      ReadFile(path=notes.txt) ReplaceText(find=foo, replacement=bar) CountWords
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
      : folder
    delete everything
      : name one by one
    make cat.jpg gray and delete the original
      : not sure
    convert cat.jpg to png and then delete cat.jpg
      : line of its own
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
      : cannot “sharpen”
    make cat.jpg brighter
      : cannot “brighter”
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
      : cannot answer
    good morning
      : Hello

    # What went wrong once.
    make a small version of cat.jpg
      : not what to do
    reduce the size of cat.jpg by half
      : pixels
    get name from data.json
      ReadFile(path=data.json) JSONQuery(path=name)
    query data.json for dependencies
      ReadFile(path=data.json) JSONQuery(path=dependencies)
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
      DeleteFile(path=notes.txt)
    put logo.png on every jpg
      ImageLoader(path=bigphoto.jpg) ImageLoader(path=logo.png) Composite SaveFile ImageLoader(path=bird.JPG) ImageLoader(path=logo.png) Composite SaveFile ImageLoader(path=cat.jpg) ImageLoader(path=logo.png) Composite SaveFile ImageLoader(path=my holiday.jpg) ImageLoader(path=logo.png) Composite SaveFile
    cna you resize cat.jpg to 100 px wdie
      ImageLoader(path=cat.jpg) Resize(width=100) SaveFile
    First make cat.jpg gray, then blur it a lot, and finally convert it to png.
      ImageLoader(path=cat.jpg) Grayscale Blur(radius=8) ConvertImage(format=png) SaveFile
    don't resize cat.jpg, just blur it
      ImageLoader(path=cat.jpg) Blur SaveFile
    create gray.jpg from cat.jpg in grayscale
      ImageLoader(path=cat.jpg) Grayscale SaveFile(path=gray.jpg)
    make a black-and-white 800-pixel-wide version of cat.jpg
      ImageLoader(path=cat.jpg) Grayscale Resize(width=800) SaveFile
    archive notes.txt and a.txt
      FileLoader(path=notes.txt) FileLoader(path=a.txt) Zip SaveFile
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
    """#
