kernel int count(global int *data, int n) {
    int found = 0, found = 1;
    switch (data[0]) {
        case 1: found++;
        case 1: break;
        defualt: found = 2;
    }
    for (int i = 0; i < n; i++) {
        if (data[i] = 0) contineu;
        goto donne;
    }
    break;
done:
    return found;
}

// error: E0212 1:12
// error: E0201 2:20
// error: E0453 5:14
// error: E0401 9:26
// error: E0450 12:5
// error: E0454 10:14
