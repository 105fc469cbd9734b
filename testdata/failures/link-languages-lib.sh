# ld in other languages: -lcuda is not found.
# lane: e2e
# label: libcuda-not-linkable
# needs: gcc-12
echo 'int main() { return 0; }' > h.cpp
export LOCPATH=$PWD
for l in zh_CN ja_JP it_IT; do
	localedef -i "$l" -f UTF-8 "./$l.UTF-8" > /dev/null 2>&1
	LC_ALL=$l.UTF-8 g++-12 h.cpp -lcuda -o h
done
