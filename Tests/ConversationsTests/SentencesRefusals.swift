extension Sentence {
    /// What must not become a plan, and what only looks like it must not.
    static let refusals = #"""
        files: cat.jpg, dog.png, logo.png, mask.png, holiday photo.jpeg, été.png, IMG_2041.JPG, notes.txt, todo.md, data.json, users.json, draft.txt, pics/

        # Deleting: only what was said literally.
        Please delete draft.txt.
          DeleteFile(path=draft.txt)
        rm draft.txt
          DeleteFile(path=draft.txt)
        trash "holiday photo.jpeg"
          DeleteFile(path=holiday photo.jpeg)
        could you erase todo.md for me?
          DeleteFile(path=todo.md)
        copy draft.txt there
          : “there”
        make draft.txt uppercase there
          : “there”
        make a folder called new stuff
          : “stuff”
        sort people.csv by city and then by age
          : I sort by one column at a time
        delete draft.txt, which is a copy of notes.txt
          : asks for something
        count the words of draft.txt, but only the first line
          : in a line of its own
        get rid of draft.txt
          : I delete only where that is said plainly
        throw away draft.txt
          : I delete only where that is said plainly
        delete draft
          :
        delete nots.txt
          : Did you mean notes.txt
        delete my files
          :
        delete *.txt
          :
        remove all the pictures
          :
        clean up this folder
          :
        delete the duplicates
          :
        delete the file I made yesterday
          :
        delete the biggest picture
          :
        delete cat.jpg or dog.png
          :
        delete pics
          : pics is a folder
        I might delete notes.txt later
          :
        what happens if I delete notes.txt?
          :
        never delete notes.txt
          :
        do not remove draft.txt
          :
        please keep notes.txt, delete draft.txt
          : I see notes.txt, but not what to do with it
        delete all files except notes.txt
          :
        can I delete notes.txt?
          :
        remove the first line of notes.txt
          ReadFile(path=notes.txt) TakeLines(count=1, from=start, drop=true) SaveFile
        remove "secret" from notes.txt
          ReadFile(path=notes.txt) ReplaceText(find=secret, replacement=) SaveFile
        delete the word foo from notes.txt
          ReadFile(path=notes.txt) ReplaceText(find=foo, replacement=) SaveFile
        delete the metadata of cat.jpg
          ImageLoader(path=cat.jpg) RemoveMetadata SaveFile
        remove cat.jpg's background
          :
        erase the logo from cat.jpg
          :
        clear notes.txt
          :
        empty draft.txt
          :
        wipe everything
          :
        remove the colours of dog.png
          ImageLoader(path=dog.png) Grayscale SaveFile
        delete notes.txt after zipping it
          :
        make cat.jpg gray, but not dog.png
          : “but not dog.png”
        zip notes.txt and delete it
          :
        overwrite notes.txt
          :
        make everything smaller
          :

        # Talk: no workflow.
        hi there
          :
        hey
          :
        good evening!
          :
        who are you?
          :
        what is this?
          : /help
        how does this work?
          : /help
        what tools do you have?
          : tools
        what can I do here?
          :
        can you help me?
          :
        I'm bored
          :
        you are stupid
          :
        that's great, thank you
          : welcome
        ok
          :
        yes
          :
        no
          :
        never mind
          :
        stop
          :
        what have you done?
          : /history
        what did you do last week?
          : /history
        show me what I did before
          : /history
        what is still running?
          : /list
        what are you waiting for?
          : /inbox
        is anything waiting for me?
          : /inbox
        list my workflows
          : /list
        what's the weather like?
          :
        tell me a joke
          :
        what is 2 + 2?
          :
        who won the world cup?
          :
        do you like cats?
          :
        is cat.jpg a nice picture?
          :
        I think cat.jpg is too dark
          :
        cat.jpg
          :
        cat.jpg looks gray
          :
        what do you think of notes.txt?
          :
        why did w3 fail?
          : /why
        undo that
          :
        quit
          :
        how do I make a picture smaller?
          :
        can you make pictures gray?
          :
        can you resize pictures?
          :
        the quick brown fox
          :
        asdf qwer
          :
        42
          :
        ?
          :
        blur
          :
        resize
          :
        zip
          :
        make it nice
          :
        do it again
          :

        # What there is no tool for: says what it did not understand.
        play cat.jpg
          :
        print cat.jpg on paper
          : “on paper”
        add a border to cat.jpg
          :
        add the text "hello" to cat.jpg
          :
        make cat.jpg gray and add a red frame
          :
        increase the contrast of cat.jpg
          ImageLoader(path=cat.jpg) MoreContrast SaveFile
        invert cat.jpg
          ImageLoader(path=cat.jpg) Invert SaveFile
        colourise cat.jpg
          :
        recognise the text in cat.jpg
          :
        find the faces in cat.jpg
          :
        sort the lines of notes.txt
          ReadFile(path=notes.txt) SortLines SaveFile
        spell-check draft.txt
          :
        translate draft.txt to German
          :
        convert notes.txt to pdf
          ReadFile(path=notes.txt) TextToPDF SaveFile
        uppercase notes.txt
          ReadFile(path=notes.txt) ChangeCase(case=upper) SaveFile
        post notes.txt to twitter
          :
        encrypt notes.txt
          :
        turn cat.jpg into a dog
          :
        make cat.jpg prettier
          :
        resize ghost.jpg to 100 px
          : There is no ghost.jpg here
        make lgoo.png gray
          : Did you mean logo.png
        grayscale holiday foto.jpeg
          :
        crop mask.png to 10x10 and ghost.png to 5x5
          : ghost.png
        gray all gifs
          :
        tomorrow at 9, make cat.jpg gray
          :
        every day make cat.jpg gray
          :
        make cat.jpg gray unless it is already
          :
        if cat.jpg is larger than 1 MB, compress it to 500 KB
          :
        make cat.jpg 800 wide or 600 wide
          :
        make cat.jpg 800 wide and 600 wide
          :
        make cat.jpg 800px wide with a nice frame
          :
        resize cat.jpg to 100x100 without keeping the proportions
          :
        blur cat.jpg until nobody recognises me
          :
        """#
}
