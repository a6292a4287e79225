// Written by generate.py from the Unicode Character Database; do not edit.
// Each code point has one record, which unicode_record finds through blocks of 8 code points and pages of 64 blocks.
#ifndef UNICODE_TABLES_H
#define UNICODE_TABLES_H
#include <stdint.h>

typedef struct {
    uint16_t flags;
    uint8_t lineBreak, grapheme, script, extensions, isUpright;
} UnicodeRecord;

typedef struct {
    uint32_t character, paired;
    uint8_t kind;  // 1 opens, 2 closes
} UnicodeBracket;

// Bits of UnicodeRecord.flags.
enum {
UnicodeFlagEmoji=1,UnicodeFlagEmojiPresentation=2,UnicodeFlagExtendedPictographic=4,UnicodeFlagDefaultIgnorable=8,
UnicodeFlagWide=16,UnicodeFlagAmbiguous=32,UnicodeFlagMark=64,UnicodeFlagRightToLeft=128,UnicodeFlagInitialQuote=256,
UnicodeFlagFinalQuote=512,UnicodeFlagUnassigned=1024,UnicodeFlagLetter=2048,UnicodeFlagHalfwidth=4096
};
// Line_Break, Grapheme_Cluster_Break and Script, by the database's short names.
enum {
LineBreakXX=0,LineBreakAL=1,LineBreakBK=2,LineBreakCR=3,LineBreakLF=4,LineBreakNL=5,LineBreakSP=6,LineBreakZW=7,
LineBreakZWJ=8,LineBreakWJ=9,LineBreakGL=10,LineBreakCM=11,LineBreakCL=12,LineBreakCP=13,LineBreakOP=14,LineBreakQU=15,
LineBreakEX=16,LineBreakIS=17,LineBreakSY=18,LineBreakNS=19,LineBreakCJ=20,LineBreakBA=21,LineBreakBB=22,
LineBreakB2=23,LineBreakHY=24,LineBreakIN=25,LineBreakNU=26,LineBreakPR=27,LineBreakPO=28,LineBreakID=29,
LineBreakEB=30,LineBreakEM=31,LineBreakHL=32,LineBreakH2=33,LineBreakH3=34,LineBreakJL=35,LineBreakJV=36,
LineBreakJT=37,LineBreakRI=38,LineBreakAI=39,LineBreakSA=40,LineBreakSG=41,LineBreakCB=42
};
enum {
GraphemeOther=0,GraphemeCR=1,GraphemeLF=2,GraphemeControl=3,GraphemeExtend=4,GraphemeZWJ=5,GraphemeRegionalIndicator=6,
GraphemePrepend=7,GraphemeSpacingMark=8,GraphemeL=9,GraphemeV=10,GraphemeT=11,GraphemeLV=12,GraphemeLVT=13
};
enum {
ScriptZyyy=0,ScriptZinh=1,ScriptZzzz=2,ScriptAdlm=3,ScriptAghb=4,ScriptAhom=5,ScriptArab=6,ScriptArmi=7,ScriptArmn=8,
ScriptAvst=9,ScriptBali=10,ScriptBamu=11,ScriptBass=12,ScriptBatk=13,ScriptBeng=14,ScriptBhks=15,ScriptBopo=16,
ScriptBrah=17,ScriptBrai=18,ScriptBugi=19,ScriptBuhd=20,ScriptCakm=21,ScriptCans=22,ScriptCari=23,ScriptCham=24,
ScriptCher=25,ScriptChrs=26,ScriptCopt=27,ScriptCpmn=28,ScriptCprt=29,ScriptCyrl=30,ScriptDeva=31,ScriptDiak=32,
ScriptDogr=33,ScriptDsrt=34,ScriptDupl=35,ScriptEgyp=36,ScriptElba=37,ScriptElym=38,ScriptEthi=39,ScriptGeor=40,
ScriptGlag=41,ScriptGong=42,ScriptGonm=43,ScriptGoth=44,ScriptGran=45,ScriptGrek=46,ScriptGujr=47,ScriptGuru=48,
ScriptHang=49,ScriptHani=50,ScriptHano=51,ScriptHatr=52,ScriptHebr=53,ScriptHira=54,ScriptHluw=55,ScriptHmng=56,
ScriptHmnp=57,ScriptHung=58,ScriptItal=59,ScriptJava=60,ScriptKali=61,ScriptKana=62,ScriptKawi=63,ScriptKhar=64,
ScriptKhmr=65,ScriptKhoj=66,ScriptKits=67,ScriptKnda=68,ScriptKthi=69,ScriptLana=70,ScriptLaoo=71,ScriptLatn=72,
ScriptLepc=73,ScriptLimb=74,ScriptLina=75,ScriptLinb=76,ScriptLisu=77,ScriptLyci=78,ScriptLydi=79,ScriptMahj=80,
ScriptMaka=81,ScriptMand=82,ScriptMani=83,ScriptMarc=84,ScriptMedf=85,ScriptMend=86,ScriptMerc=87,ScriptMero=88,
ScriptMlym=89,ScriptModi=90,ScriptMong=91,ScriptMroo=92,ScriptMtei=93,ScriptMult=94,ScriptMymr=95,ScriptNagm=96,
ScriptNand=97,ScriptNarb=98,ScriptNbat=99,ScriptNewa=100,ScriptNkoo=101,ScriptNshu=102,ScriptOgam=103,ScriptOlck=104,
ScriptOrkh=105,ScriptOrya=106,ScriptOsge=107,ScriptOsma=108,ScriptOugr=109,ScriptPalm=110,ScriptPauc=111,
ScriptPerm=112,ScriptPhag=113,ScriptPhli=114,ScriptPhlp=115,ScriptPhnx=116,ScriptPlrd=117,ScriptPrti=118,
ScriptRjng=119,ScriptRohg=120,ScriptRunr=121,ScriptSamr=122,ScriptSarb=123,ScriptSaur=124,ScriptSgnw=125,
ScriptShaw=126,ScriptShrd=127,ScriptSidd=128,ScriptSind=129,ScriptSinh=130,ScriptSogd=131,ScriptSogo=132,
ScriptSora=133,ScriptSoyo=134,ScriptSund=135,ScriptSylo=136,ScriptSyrc=137,ScriptTagb=138,ScriptTakr=139,
ScriptTale=140,ScriptTalu=141,ScriptTaml=142,ScriptTang=143,ScriptTavt=144,ScriptTelu=145,ScriptTfng=146,
ScriptTglg=147,ScriptThaa=148,ScriptThai=149,ScriptTibt=150,ScriptTirh=151,ScriptTnsa=152,ScriptToto=153,
ScriptUgar=154,ScriptVaii=155,ScriptVith=156,ScriptWara=157,ScriptWcho=158,ScriptXpeo=159,ScriptXsux=160,
ScriptYezi=161,ScriptYiii=162,ScriptZanb=163
};
enum { UnicodeScriptCount = 164, UnicodeBracketCount = 128, UnicodeLow = 3, UnicodeMiddle = 6 };

extern const uint16_t unicode_index[2176];
extern const uint16_t unicode_pages[7808];
extern const uint16_t unicode_blocks[12096];
extern const UnicodeRecord unicode_records[835];
/// ISO 15924 tags of the scripts, the first letter in the highest byte.
extern const uint32_t unicode_script_tags[164];
/// Script_Extensions: a set begins at unicode_extension_starts[record.extensions] and ends where the next begins.
extern const uint16_t unicode_extension_starts[64];
extern const uint8_t unicode_extension_scripts[255];
/// Bidi_Paired_Bracket, ascending.
extern const UnicodeBracket unicode_brackets[128];

/// The properties of a code point; those of U+FFFF for numbers beyond Unicode. Constant time.
static inline UnicodeRecord unicode_record(uint32_t character) {
    uint32_t c = character < 0x110000 ? character : 0xFFFF;
    uint32_t page = unicode_index[c >> (UnicodeLow + UnicodeMiddle)];
    uint32_t block = unicode_pages[page << UnicodeMiddle | (c >> UnicodeLow & ((1u << UnicodeMiddle) - 1))];
    return unicode_records[unicode_blocks[block << UnicodeLow | (c & ((1u << UnicodeLow) - 1))]];
}

/// The other half of a paired bracket, or 0; `kind` becomes 1 for an opening, 2 for a closing one.
static inline uint32_t unicode_bracket(uint32_t character, uint8_t *kind) {
    int low = 0, high = UnicodeBracketCount;
    while (low < high) {
        int middle = (low + high) / 2;
        if (unicode_brackets[middle].character < character) low = middle + 1;
        else high = middle;
    }
    if (low == UnicodeBracketCount || unicode_brackets[low].character != character) return 0;
    *kind = unicode_brackets[low].kind;
    return unicode_brackets[low].paired;
}

static inline uint32_t unicode_script_tag(uint8_t script) {
    return script < UnicodeScriptCount ? unicode_script_tags[script] : 0;
}

/// The scripts that use the character beside its own; `count` becomes their number.
static inline const uint8_t *unicode_extensions(UnicodeRecord record, int *count) {
    uint16_t start = unicode_extension_starts[record.extensions];
    *count = unicode_extension_starts[record.extensions + 1] - start;
    return unicode_extension_scripts + start;
}

#endif
