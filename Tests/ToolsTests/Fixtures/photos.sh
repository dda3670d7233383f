# Photographs, as a person has them.
set -e
seed=1
mkdir trip
for name in beach cat dog img1 img2 img3 trip/one trip/two; do
    vips gaussnoise noise.v 120 80 --seed $seed --mean 128 --sigma 40
    vips cast noise.v grey.v uchar
    vips copy grey.v "$name.jpg[Q=90]"
    seed=$((seed + 1))
done
rm noise.v grey.v
printf 'beach:a beach\ncat:a cat\ndog:a dog\n' > captions.txt
