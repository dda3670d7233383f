extension Sentence {
    /// Pictures, in the words of many people.
    static let wordsForPictures = #"""
        files: cat.jpg, dog.png, logo.png, mask.png, holiday photo.jpeg, été.png, IMG_2041.JPG, notes.txt, todo.md, data.json, users.json, draft.txt, pics/

        # Sizes, in many voices.
        Please scale down cat.jpg so it's 640 pixels across.
          ImageLoader(path=cat.jpg) Resize(width=640, enlarge=false) SaveFile
        cat.jpg → 1024 wide
          ImageLoader(path=cat.jpg) Resize(width=1024) SaveFile
        resize dog.png 300x
          ImageLoader(path=dog.png) Resize(width=300) SaveFile
        resize dog.png x300
          ImageLoader(path=dog.png) Resize(height=300) SaveFile
        dog.png 250 px high pls
          ImageLoader(path=dog.png) Resize(height=250) SaveFile
        I want dog.png to be 512 by 512
          ImageLoader(path=dog.png) Resize(width=512, height=512) SaveFile
        Would you mind making IMG_2041.JPG 1920 pixels wide?
          ImageLoader(path=IMG_2041.JPG) Resize(width=1920) SaveFile
        make img_2041.jpg fit within 800 x 600
          ImageLoader(path=IMG_2041.JPG) Resize(width=800, height=600) SaveFile
        scale cat.jpg to a width of 700
          ImageLoader(path=cat.jpg) Resize(width=700) SaveFile
        scale cat.jpg to a height of 500 pixels
          ImageLoader(path=cat.jpg) Resize(height=500) SaveFile
        set the width of dog.png to 320px
          ImageLoader(path=dog.png) Resize(width=320) SaveFile
        cat.jpg should be no wider than 900 px
          ImageLoader(path=cat.jpg) Resize(width=900, enlarge=false) SaveFile
        cat.jpg, long edge 1000
          ImageLoader(path=cat.jpg) Resize(width=1000, height=1000) SaveFile
        resize cat.jpg so the longest edge is 1500 px
          ImageLoader(path=cat.jpg) Resize(width=1500, height=1500) SaveFile
        make a thumbnail of cat.jpg, 128 pixels
          ImageLoader(path=cat.jpg) Resize(width=128, enlarge=false) SaveFile
        enlarge logo.png to 2000 px wide
          ImageLoader(path=logo.png) Resize(width=2000) SaveFile
        blow up logo.png to 2000 px
          ImageLoader(path=logo.png) Resize(width=2000) SaveFile
        upscale logo.png to 2000px
          ImageLoader(path=logo.png) Resize(width=2000) SaveFile
        downscale cat.jpg to 400px width
          ImageLoader(path=cat.jpg) Resize(width=400, enlarge=false) SaveFile
        downsize cat.jpg to 1280x720
          ImageLoader(path=cat.jpg) Resize(width=1280, height=720, enlarge=false) SaveFile
        bring cat.jpg down to 500 px in width
          ImageLoader(path=cat.jpg) Resize(width=500) SaveFile
        reduce holiday photo.jpeg to 1,200 px
          ImageLoader(path=holiday photo.jpeg) Resize(width=1200) SaveFile
        resize 'holiday photo.jpeg' to 1200 wide
          ImageLoader(path=holiday photo.jpeg) Resize(width=1200) SaveFile
        été.png en 300 px de large
          :
        make été.png 300 px wide
          ImageLoader(path=été.png) Resize(width=300) SaveFile
        width 400, height 300 for cat.jpg
          ImageLoader(path=cat.jpg) Resize(width=400, height=300) SaveFile
        cat.jpg: w=400 h=300
          ImageLoader(path=cat.jpg) Resize(width=400, height=300) SaveFile
        can u make dog.png like 200px wide thx
          ImageLoader(path=dog.png) Resize(width=200) SaveFile
        resize dog.png to two hundred pixels
          ImageLoader(path=dog.png) Resize(width=200) SaveFile
        resiez dog.png to 200 px
          ImageLoader(path=dog.png) Resize(width=200) SaveFile
        halve cat.jpg
          ImageLoader(path=cat.jpg) Resize(scale=50) SaveFile
        make cat.jpg twice as big
          ImageLoader(path=cat.jpg) Resize(scale=200) SaveFile
        scale cat.jpg to 25%
          ImageLoader(path=cat.jpg) Resize(scale=25) SaveFile
        make dog.png a quarter of its size
          ImageLoader(path=dog.png) Resize(scale=25) SaveFile
        resize cat.jpg to 0 px
          : at least 1
        resize cat.jpg to -5 px
          :
        shrink cat.jpg a bit
          :

        # Sizes of files.
        squeeze cat.jpg under 100k
          ImageLoader(path=cat.jpg) CompressLocal(targetKB=100) SaveFile
        get IMG_2041.JPG below one megabyte
          ImageLoader(path=IMG_2041.JPG) CompressLocal(targetMB=1) SaveFile
        make cat.jpg at most 250 kilobytes
          ImageLoader(path=cat.jpg) CompressLocal(targetKB=250) SaveFile
        cat.jpg must not exceed 2 megs
          ImageLoader(path=cat.jpg) CompressLocal(targetMB=2) SaveFile
        cat.jpg max. 500 KB
          ImageLoader(path=cat.jpg) CompressLocal(targetKB=500) SaveFile
        limit cat.jpg to 0.5 MB
          ImageLoader(path=cat.jpg) CompressLocal(targetMB=0.5) SaveFile
        compress dog.png to less than 1 MiB
          ImageLoader(path=dog.png) CompressLocal(targetMB=1.048576) SaveFile
        compress cat.jpg to half a megabyte
          ImageLoader(path=cat.jpg) CompressLocal(targetMB=0.5) SaveFile
        optimise cat.jpg, limit 80KB
          ImageLoader(path=cat.jpg) CompressLocal(targetKB=80) SaveFile
        cat.jpg needs to be less than 40,000 bytes
          ImageLoader(path=cat.jpg) CompressLocal(targetKB=40) SaveFile
        I need to mail IMG_2041.JPG, make it under 3 MB
          :
        reduce the file size of cat.jpg to 90kB
          ImageLoader(path=cat.jpg) CompressLocal(targetKB=90) SaveFile
        keep cat.jpg under 60 KB
          ImageLoader(path=cat.jpg) CompressLocal(targetKB=60) SaveFile
        make cat.jpg smaller than 1/2 MB
          ImageLoader(path=cat.jpg) CompressLocal(targetMB=0.5) SaveFile
        compress cat.jpg
          : how
        compress notes.txt to 1 KB
          : picture

        # Colour and turning.
        b&w version of cat.jpg please
          ImageLoader(path=cat.jpg) Grayscale SaveFile
        cat.jpg in greyscale
          ImageLoader(path=cat.jpg) Grayscale SaveFile
        remove the colour from cat.jpg
          ImageLoader(path=cat.jpg) Grayscale SaveFile
        take the color out of cat.jpg
          ImageLoader(path=cat.jpg) Grayscale SaveFile
        strip colours from cat.jpg
          ImageLoader(path=cat.jpg) Grayscale SaveFile
        make dog.png monochrome
          ImageLoader(path=dog.png) Grayscale SaveFile
        grey out cat.jpg
          ImageLoader(path=cat.jpg) Grayscale SaveFile
        turn holiday photo.jpeg b/w
          ImageLoader(path=holiday photo.jpeg) Grayscale SaveFile
        Kindly render cat.jpg in black & white.
          ImageLoader(path=cat.jpg) Grayscale SaveFile
        rotate cat.jpg
          ImageLoader(path=cat.jpg) Rotate SaveFile
        rotate cat.jpg by a quarter turn
          ImageLoader(path=cat.jpg) Rotate(angle=90) SaveFile
        turn IMG_2041.JPG sideways
          ImageLoader(path=IMG_2041.JPG) Rotate(angle=90) SaveFile
        flip cat.jpg upside down
          ImageLoader(path=cat.jpg) Rotate(angle=180) SaveFile
        give cat.jpg a half turn
          ImageLoader(path=cat.jpg) Rotate(angle=180) SaveFile
        rotate cat.jpg 90° to the left
          ImageLoader(path=cat.jpg) Rotate(angle=-90) SaveFile
        rotate cat.jpg 90 deg ccw
          ImageLoader(path=cat.jpg) Rotate(angle=-90) SaveFile
        rotate cat.jpg -30 degrees
          ImageLoader(path=cat.jpg) Rotate(angle=-30) SaveFile
        cat.jpg 90 degrees to the right
          ImageLoader(path=cat.jpg) Rotate(angle=90) SaveFile
        turn cat.jpg clockwise by 15 degrees
          ImageLoader(path=cat.jpg) Rotate(angle=15) SaveFile
        mirror cat.jpg
          ImageLoader(path=cat.jpg) Mirror SaveFile
        flip cat.jpg horizontally
          ImageLoader(path=cat.jpg) Mirror(direction=horizontal) SaveFile

        # Blur.
        soften cat.jpg slightly
          ImageLoader(path=cat.jpg) Blur(radius=1.5) SaveFile
        apply a gaussian blur to dog.png
          ImageLoader(path=dog.png) Blur SaveFile
        blur dog.png with a radius of 12
          ImageLoader(path=dog.png) Blur(radius=12) SaveFile
        blur dog.png with sigma 2.5
          ImageLoader(path=dog.png) Blur(radius=2.5) SaveFile
        blur cat.jpg heavily
          ImageLoader(path=cat.jpg) Blur(radius=8) SaveFile
        make cat.jpg very blurry
          ImageLoader(path=cat.jpg) Blur(radius=8) SaveFile
        add some blur to cat.jpg
          ImageLoader(path=cat.jpg) Blur SaveFile
        unblur cat.jpg
          :

        # Crop.
        crop dog.png to 200 by 100
          ImageLoader(path=dog.png) Crop(width=200, height=100) SaveFile
        cut a 100x100 square out of the middle of dog.png
          ImageLoader(path=dog.png) Crop(width=100, height=100) SaveFile
        trim cat.jpg to 300×200
          ImageLoader(path=cat.jpg) Crop(width=300, height=200) SaveFile
        cut cat.jpg down to 640x480
          ImageLoader(path=cat.jpg) Crop(width=640, height=480) SaveFile
        crop cat.jpg to 50 x 60 at 10,20
          ImageLoader(path=cat.jpg) Crop(width=50, height=60, left=10, top=20) SaveFile
        crop the top left 100x100 of cat.jpg
          ImageLoader(path=cat.jpg) Crop(width=100, height=100, left=0, top=0) SaveFile
        crop cat.jpg square
          ImageLoader(path=cat.jpg) Square SaveFile
        take a 400 px wide and 200 px tall part of cat.jpg
          :

        # Formats.
        cat.jpg to png
          ImageLoader(path=cat.jpg) ConvertImage(format=png) SaveFile
        change cat.jpg to webp
          ImageLoader(path=cat.jpg) ConvertImage(format=webp) SaveFile
        make a PNG out of cat.jpg
          ImageLoader(path=cat.jpg) ConvertImage(format=png) SaveFile
        I need cat.jpg as .webp
          ImageLoader(path=cat.jpg) ConvertImage(format=webp) SaveFile
        turn été.png into a JPEG
          ImageLoader(path=été.png) ConvertImage(format=jpg) SaveFile
        export dog.png to tiff
          ImageLoader(path=dog.png) ConvertImage(format=tiff) SaveFile
        re-encode cat.jpg as avif, quality 60
          ImageLoader(path=cat.jpg) ConvertImage(format=avif, quality=60) SaveFile
        save dog.png in jpeg format with 85 % quality
          ImageLoader(path=dog.png) ConvertImage(format=jpg, quality=85) SaveFile
        dog.png -> dog.webp
          ImageLoader(path=dog.png) ConvertImage(format=webp) SaveFile(path=dog.webp)
        give me a gif of dog.png
          ImageLoader(path=dog.png) ConvertImage(format=gif) SaveFile
        transform logo.png to jpg
          ImageLoader(path=logo.png) ConvertImage(format=jpg) SaveFile
        convert dog.png to bmp
          : bmp
        convert notes.txt to png
          : notes.txt is not one
        convert dog.png to jpg, call it puppy
          ImageLoader(path=dog.png) ConvertImage(format=jpg) SaveFile(path=puppy.jpg)

        # Chains and orders.
        first crop cat.jpg to 300x300, then make it gray, then save it as avatar.png
          ImageLoader(path=cat.jpg) Crop(width=300, height=300) Grayscale ConvertImage(format=png) SaveFile(path=avatar.png)
        take cat.jpg, resize it to 800px, blur it slightly, after which convert it to png
          ImageLoader(path=cat.jpg) Resize(width=800) Blur(radius=1.5) ConvertImage(format=png) SaveFile
        Take dog.png, make it b/w, rotate it by 180 degrees and save as upside.png
          ImageLoader(path=dog.png) Grayscale Rotate(angle=180) SaveFile(path=upside.png)
        grayscale, 500px wide, webp: cat.jpg
          ImageLoader(path=cat.jpg) Grayscale Resize(width=500) ConvertImage(format=webp) SaveFile
        cat.jpg -- gray, 90 degrees clockwise, at most 50 KB
          ImageLoader(path=cat.jpg) Grayscale Rotate(angle=90) CompressLocal(targetKB=50) SaveFile
        To make cat.jpg black and white and 300 pixels wide, please
          ImageLoader(path=cat.jpg) Grayscale Resize(width=300) SaveFile
        I'd love a 640x480 grayscale webp of IMG_2041.JPG
          ImageLoader(path=IMG_2041.JPG) Resize(width=640, height=480) Grayscale ConvertImage(format=webp) SaveFile
        convert IMG_2041.JPG to a png that is 100 px wide
          ImageLoader(path=IMG_2041.JPG) ConvertImage(format=png) Resize(width=100) SaveFile
        before converting cat.jpg to png, make it gray
          : “before”
        resize cat.jpg to 600 px and then compress it to 50 KB and then save it as small.jpg
          ImageLoader(path=cat.jpg) Resize(width=600) CompressLocal(targetKB=50) SaveFile(path=small.jpg)
        blur cat.jpg, then gray it
          ImageLoader(path=cat.jpg) Blur Grayscale SaveFile
        Desaturate dog.png; afterwards rotate it left.
          ImageLoader(path=dog.png) Grayscale Rotate(angle=-90) SaveFile
        make cat.jpg and dog.png gray
          ImageLoader(path=cat.jpg) Grayscale SaveFile ImageLoader(path=dog.png) Grayscale SaveFile
        rotate cat.jpg and dog.png by 90 degrees and zip them
          ImageLoader(path=cat.jpg) Rotate(angle=90) ImageLoader(path=dog.png) Rotate(angle=90) Zip SaveFile(path=files.zip)
        resize cat.jpg, dog.png & logo.png to 64x64
          ImageLoader(path=cat.jpg) Resize(width=64, height=64) SaveFile ImageLoader(path=dog.png) Resize(width=64, height=64) SaveFile ImageLoader(path=logo.png) Resize(width=64, height=64) SaveFile
        make cat.jpg 800px wide, then do the same with dog.png
          :
        save a gray copy of cat.jpg to pics
          ImageLoader(path=cat.jpg) Grayscale SaveFile(path=pics/cat.jpg)
        put a 300 px wide copy of cat.jpg into pics/
          ImageLoader(path=cat.jpg) Resize(width=300) SaveFile(path=pics/cat.jpg)
        shrink cat.jpg to 300px and name the result mini.jpg
          ImageLoader(path=cat.jpg) Resize(width=300, enlarge=false) SaveFile(path=mini.jpg)
        make cat.jpg 300px and output it to out.jpg
          ImageLoader(path=cat.jpg) Resize(width=300) SaveFile(path=out.jpg)
        cat.jpg 300px wide, output: out.webp
          ImageLoader(path=cat.jpg) Resize(width=300) ConvertImage(format=webp) SaveFile(path=out.webp)
        resize cat.jpg to 100px into pics/tiny.jpg
          ImageLoader(path=cat.jpg) Resize(width=100) SaveFile(path=pics/tiny.jpg)

        # Two pictures.
        overlay logo.png on cat.jpg
          ImageLoader(path=cat.jpg) ImageLoader(path=logo.png) Composite SaveFile
        stamp logo.png onto cat.jpg
          ImageLoader(path=cat.jpg) ImageLoader(path=logo.png) Composite SaveFile
        lay logo.png over cat.jpg, 20 px from the left
          ImageLoader(path=cat.jpg) ImageLoader(path=logo.png) Composite(left=20) SaveFile
        use logo.png as a watermark on cat.jpg
          ImageLoader(path=cat.jpg) ImageLoader(path=logo.png) Composite SaveFile
        apply mask.png to cat.jpg as a mask
          ImageLoader(path=cat.jpg) ImageLoader(path=mask.png) ApplyMask SaveFile
        mask cat.jpg with mask.png
          ImageLoader(path=cat.jpg) ImageLoader(path=mask.png) ApplyMask SaveFile
        cut out cat.jpg using mask.png
          ImageLoader(path=cat.jpg) ImageLoader(path=mask.png) ApplyMask SaveFile
        composite logo.png over dog.png and convert to jpg
          ImageLoader(path=dog.png) ImageLoader(path=logo.png) Composite ConvertImage(format=jpg) SaveFile
        """#
}
