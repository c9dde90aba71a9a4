// A scanner as a state machine: once with switch, once with goto.
//@ kernel with_switch
//@ global 4
//@ arg buffer uchar[128] = text "alpha beta_2 17, (x+y)*3.5 zz9 42q            a1b2c3 -- 007 bond; _tail   x"
//@ arg buffer int4[4] = zero
//@ result 1 = host tokens
//@ kernel with_goto
//@ global 4
//@ arg buffer uchar[128] = text "alpha beta_2 17, (x+y)*3.5 zz9 42q            a1b2c3 -- 007 bond; _tail   x"
//@ arg buffer int4[4] = zero
//@ result 1 = host tokens
enum kind { LETTER, DIGIT, OTHER, SPACE };
enum state { START, WORD, NUMBER, DONE };

enum kind kind_of(uchar c)
{
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_')
        return LETTER;
    return c >= '0' && c <= '9' ? DIGIT : c == ' ' ? SPACE : OTHER;
}

kernel void with_switch(global const uchar *text, global int4 *counts)
{
    global const uchar *line = text + 32 * get_global_id(0);
    int words = 0, numbers = 0, others = 0, longest = 0, length = 0;
    enum state state = START;
    int at = 0;
    while (state != DONE) {
        const int end = at == 32 || line[at] == 0;
        switch (state) {
        case START:
            if (end) {
                state = DONE;
                break;
            }
            switch (kind_of(line[at++])) {
            case LETTER:
                ++words;
                length = 1;
                state = WORD;
                break;
            case DIGIT:
                ++numbers;
                state = NUMBER;
                break;
            case OTHER:
                ++others;
                /* fall through */
            default:
                break;
            }
            break;
        case WORD:
            if (!end && kind_of(line[at]) <= DIGIT) {
                ++length;
                ++at;
                continue;
            }
            longest = max(longest, length);
            state = START;
            break;
        case NUMBER:
            if (!end && kind_of(line[at]) == DIGIT)
                ++at;
            else
                state = START;
            break;
        case DONE:
            break;
        }
    }
    counts[get_global_id(0)] = (int4)(words, numbers, others, longest);
}

kernel void with_goto(global const uchar *text, global int4 *counts)
{
    global const uchar *p = text + 32 * get_global_id(0);
    global const uchar *const end = p + 32;
    int words = 0, numbers = 0, others = 0, longest = 0, length;

start:
    if (p == end || *p == 0)
        goto done;
    switch (kind_of(*p++)) {
    case LETTER:
        words++;
        length = 1;
        goto word;
    case DIGIT:
        numbers++;
        goto number;
    case OTHER:
        others++;
    case SPACE:
        goto start;
    }
word:
    if (p != end && *p && kind_of(*p) <= DIGIT) {
        ++length;
        ++p;
        goto word;
    }
    if (length > longest)
        longest = length;
    goto start;
number:
    if (p != end && *p && kind_of(*p) == DIGIT) {
        ++p;
        goto number;
    }
    goto start;
done:
    counts[get_global_id(0)] = (int4)(words, numbers, others, longest);
}
