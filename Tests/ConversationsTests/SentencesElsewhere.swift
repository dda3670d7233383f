extension Sentence {
    /// Places, times and occasions that a plan cannot keep are refused; words that only look like them are not.
    static let elsewhere = #"""
        files: cat.jpg, dog.jpg, logo.png, notes.txt, a.txt, ray.jpg, cloud.png, docs/

        # Places other than this machine.
        run this on the cluster: make cat.jpg gray
          : not “on the cluster”
        make cat.jpg gray on dask
          : not “on dask”
        run on slurm: make cat.jpg gray
          : not “on slurm”
        make cat.jpg gray on the server
          : not “on the server”
        on the gpu make cat.jpg gray
          : not “on the gpu”
        make cat.jpg gray remotely
          : not “remotely”
        make cat.jpg gray in the cloud
          : not “in the cloud”
        make cat.jpg gray on another machine
          : not “on another machine”
        make cat.jpg gray on a remote computer
          : not “on a remote computer”
        make cat.jpg gray on our kubernetes cluster
          : not “on our kubernetes cluster”
        make cat.jpg gray using kubernetes
          : not “using kubernetes”
        make cat.jpg gray with slurm
          : not “with slurm”
        make cat.jpg gray via ssh
          : not “via ssh”
        make cat.jpg gray on 4 nodes
          : not “on 4 nodes”
        count the words in notes.txt on the cluster
          : not “on the cluster”
        how many words are in notes.txt on the cluster?
          : not “on the cluster”
        list files on the server
          : not “on the server”
        zip all txt files on the cluster
          : not “on the cluster”
        save cat.jpg to the cloud
          : not “to the cloud”
        make every jpg gray on the cluster and zip them
          : not “on the cluster”

        # Occasions and times.
        when a new jpg appears here make it gray
          : cannot decide on “when”
        when a new jpg appears here, make it gray
          : cannot decide on “When”
        as soon as a jpg appears here make cat.jpg gray
          : cannot decide on “as soon as”
        make cat.jpg gray as soon as dog.jpg is there
          : cannot decide on “as soon as”
        make every new jpg gray
          : watch no folder
        make all new jpgs gray
          : watch no folder
        make incoming jpgs gray
          : watch no folder
        from now on make every jpg gray
          : no timetable
        make cat.jpg gray twice a day
          : no timetable
        once a day make cat.jpg gray
          : no timetable
        make cat.jpg gray next week
          : no timetable
        make cat.jpg gray at 9pm
          : no timetable
        make cat.jpg gray at 21:00
          :
        make cat.jpg gray at noon
          : no timetable
        make cat.jpg gray later
          : no timetable

        # None of these is elsewhere or later.
        make cat.jpg gray on this machine
          ImageLoader(path=cat.jpg) Grayscale SaveFile
        make cat.jpg gray on my computer
          ImageLoader(path=cat.jpg) Grayscale SaveFile
        make cat.jpg gray, not on the cluster
          ImageLoader(path=cat.jpg) Grayscale SaveFile
        make ray.jpg gray
          ImageLoader(path=ray.jpg) Grayscale SaveFile
        put cloud.png on cat.jpg
          ImageLoader(path=cat.jpg) ImageLoader(path=cloud.png) Composite SaveFile
        replace "cluster" with "server" in notes.txt
          ReadFile(path=notes.txt) ReplaceText(find=cluster, replacement=server) SaveFile
        replace cat with ray in notes.txt
          ReadFile(path=notes.txt) ReplaceText(find=cat, replacement=ray) SaveFile
        write on the cluster to b.txt
          : not “on the cluster”
        make cat.jpg gray as soon as possible
          ImageLoader(path=cat.jpg) Grayscale SaveFile
        make cat.jpg gray when you can
          ImageLoader(path=cat.jpg) Grayscale SaveFile
        save cat.jpg under a new name
          ImageLoader(path=cat.jpg) SaveFile
        when did I make cat.jpg gray?
          : /history
        """#
}
