/** The emoji of a smiley that phpBB has by default or that is common in ASCII; null for others. */
export function emojiOf(code: string): string | null {
  return emoji.get(code) ?? null
}

const codes: Readonly<Record<string, string>> = {
  '🙂': ':) :-) =) :smile: (:',
  '😃': ':D :-D =D :grin:',
  '😆': 'XD xD :lol:',
  '😉': ';) ;-) :wink:',
  '😜': ';P ;-P ;p',
  '🙁': ':( :-( =( :sad:',
  '😮': ':O :-O :eek:',
  '😲': ':o :-o',
  '😯': ':shock:',
  '😕': ':? :-? :???: :/ :-/ :\\ :-\\',
  '😎': '8-) B) B-) :cool:',
  '😠': ':x :-x :X :-X :mad: >:( >:-(',
  '😛': ':P :-P :p :-p =P :razz:',
  '😳': ':oops: :$ :-$',
  '😢': ":cry: :'( :'-(",
  '😂': ":') :'-)",
  '👿': ':evil:',
  '😈': ':twisted: >:) >:-) >:D',
  '🙄': ':roll:',
  '❗': ':!:',
  '❓': ':?:',
  '💡': ':idea:',
  '➡️': ':arrow:',
  '😐': ':| :-| =|',
  '😁': ':mrgreen: ^^ ^_^',
  '🤓': ':geek: :ugeek:',
  '😗': ':* :-*',
  '😇': 'O:) O:-)',
  '😑': '-_-',
  '🤐': ':zip:',
  '❤️': '<3',
  '💔': '</3',
}

const emoji = new Map(Object.entries(codes).flatMap(([sign, written]) => written.split(' ').map((code) => [code, sign] as const)))
