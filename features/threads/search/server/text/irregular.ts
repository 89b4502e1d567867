/** Irregular forms, each with the form that is indexed. */
const forms = `
knife knives, wife wives, leaf leaves, loaf loaves, shelf shelves, wolf wolves, half halves, calf calves, thief thieves, scarf scarves,
foot feet, tooth teeth, goose geese, mouse mice, child children, man men, woman women, ox oxen, person people,
buy bought, bring brought, think thought, catch caught, teach taught, seek sought, fight fought, sell sold, tell told, say said,
burn burnt, learn learnt, dream dreamt, spill spilt, spoil spoilt, smell smelt, spell spelt, dwell dwelt, lean leant, leap leapt,
break broke broken, choose chose chosen, drive drove driven, eat ate eaten, fall fell fallen, forget forgot forgotten, freeze froze frozen,
give gave given, go went gone, grow grew grown, know knew known, ride rode ridden, rise rose risen, run ran, see saw seen, shake shook shaken,
speak spoke spoken, steal stole stolen, swim swam swum, take took taken, tear tore torn, throw threw thrown, wake woke woken, wear wore worn,
write wrote written, begin began begun, drink drank drunk, ring rang rung, sing sang sung, sink sank sunk, stick stuck, strike struck,
bend bent, build built, lend lent, send sent, spend spent, feel felt, keep kept, leave left, mean meant, meet met, sleep slept, sweep swept,
feed fed, hold held, lead led, pay paid, shoot shot, sit sat, slide slid, stand stood, understand understood, win won, hang hung, dig dug,
find found, bind bound, wind wound, make made, hide hid hidden, bite bit bitten, draw drew drawn, fly flew flown, lose lost, hear heard
`

/** The base of each irregular form. */
export const bases: ReadonlyMap<string, string> = new Map(
  forms.split(',').flatMap((line) => {
    const [base = '', ...others] = line.trim().split(/\s+/)
    return others.map((other): [string, string] => [other, base])
  }),
)

export function baseOf(word: string): string {
  return bases.get(word) ?? word
}
