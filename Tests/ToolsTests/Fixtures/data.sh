# Tables, a database and what came by mail.
set -e
for i in 7 3 9 1 5 8 2 6 4 7; do printf '%s,item%s,%s\n' $i $i $((i * 2)); done > sales.csv
printf '1,Ana\n2,Bea\n' > people.csv
printf '[{"name": "Ana", "age": 41}, {"name": "Bea", "age": 39}]\n' > list.json
printf 'import csv\nimport sys\n\nprint(sum(int(row[2]) for row in csv.reader(open(sys.argv[1]))))\n' > sum.py
printf 'import time\n\nopen("clean.csv", "w").write(f"a,b\\n{time.time_ns()}\\n")\n' > clean.py
sqlite3 base.db "create table items (n integer, name text); insert into items values (1, 'one'), (2, 'two');"
printf 'apple\nfig\n' > a.txt
printf 'fig\nplum\n' > b.txt
mkdir raw letters
printf '1,2\n' > raw/one.csv
printf '3,4\n' > raw/two.csv
printf 'Dear Ana\n' > letters/ana.txt
tar cf archive.tar letters
zip -q pack.zip letters/ana.txt
printf '1,Zoe\n' > letters/people.csv
tar cf newer.tar -C letters people.csv
printf 'one\ntwo\nthree\n' | gzip > log.gz
sha256sum sales.csv > sums
