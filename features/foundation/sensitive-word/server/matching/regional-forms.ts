import japanese from 'opencc-js/dict/JPShinjitaiCharactersRev'
import { sameCharacter } from '#base/chinese/variants.ts'

// Japanese forms that Chinese text has too, with another meaning: 芸香, 沙家浜, 欠债.
const chineseToo = new Set('慎晃概浜沪弁瓶研糸欠缶萌芸褒予郎翻')

/** What the tables of regional variants lack: each character with its other forms. */
const others = [
  '炮砲礮礟',
  '奶嬭',
  '国囯囻圀',
  '你妳',
  '它牠',
  '球毬',
  '同仝',
  '回囘囬',
  '德惪',
  '哲喆',
  '珍珎',
  '年秊',
  '医毉',
  '梅槑',
  '么庅',
  '个亇',
  '枪鎗',
  '妒妬',
  '侄姪',
  '赃賍',
  '斗鬪鬬鬦',
]

/** The supplement of radicals, which no normal form maps to characters: each as the character that it looks like. */
const supplement =
  '⺁厂⺂乛⺃乚⺄乙⺅亻⺆冂⺇几⺈刀⺉刂⺊卜⺋㔾⺌小⺍小⺎兀⺏尣⺐尢⺑尣⺒巳⺓幺⺔彑⺕彐⺖忄⺗㣺⺘扌⺙攵⺛旡⺜日⺝月⺞歺⺠民⺡氵⺢氺⺣灬⺤爫⺥爫⺦丬⺧牛⺨犭⺩王⺪疋⺫目⺬示⺭礻⺮竹⺯糹' +
  '⺰纟⺱罓⺲罒⺳㓁⺴㓁⺵网⺶羊⺷羊⺸羊⺹耂⺺肀⺻聿⺼月⺽臼⺾艹⺿艹⻀艹⻁虎⻂衤⻃覀⻄西⻅见⻆角⻇角⻈讠⻉贝⻊足⻋车⻌辶⻍辶⻎辶⻏阝⻐钅⻑長⻒镸⻓长⻔门⻕阜⻖阝⻗雨⻘青⻙韦⻚页⻛风⻜飞⻝食⻞食⻟飠' +
  '⻠饣⻡首⻢马⻣骨⻤鬼⻥鱼⻦鸟⻧卤⻨麦⻩黄⻪黾⻫斉⻬齐⻭歯⻮齿⻯竜⻰龙⻱龜⻲亀'

const formOf = (one: string) => sameCharacter.get(one) ?? one

/** Characters of Japan and rare variants. For forbidden words alone: the index of the search was made without them. */
export const regionalForms: ReadonlyMap<string, string> = new Map([
  ...japanese.split('|').flatMap((pair): [string, string][] => {
    const [traditional = '', form = ''] = pair.split(' ')
    const isKnown = formOf(form) === formOf(traditional) || sameCharacter.has(form)
    return isKnown || chineseToo.has(form) ? [] : [[form, formOf(traditional)]]
  }),
  ...others.flatMap(([usual = '', ...forms]) => forms.map((form): [string, string] => [form, formOf(usual)])),
])

export const radicals: ReadonlyMap<string, string> = new Map(
  [...supplement.matchAll(/(.)(.)/gu)].map(([, radical = '', as = '']) => [radical, as]),
)
