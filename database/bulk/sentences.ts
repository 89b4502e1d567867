import type { Random } from '#database/bulk/random.ts'

export type Language = 'zh' | 'en'

/** A generated sentence that somebody could have written. */
export function sentence(language: Language, chance: Random): string {
  return fill(sentences[language], language, chance)
}

export function titleOf(language: Language, chance: Random): string {
  return fill(titles[language], language, chance)
}

export function nicknameOf(language: Language, number: number, { pick }: Random): string {
  const name = pick(wordsFor(language, 'nature'))
  return language === 'zh' ? `${name}${pick(wordsFor('zh', 'tea'))}${number}` : `${name} ${pick(wordsFor('en', 'tea'))} ${number}`
}

function fill(patterns: readonly string[], language: Language, { pick, below }: Random): string {
  const filled = pick(patterns).replaceAll(/\{(\w+)\}/g, (_, slot: string) =>
    slot === 'n' ? String(below(90) + 2) : pick(wordsFor(language, slot)),
  )
  return filled.charAt(0).toUpperCase() + filled.slice(1)
}

function wordsFor(language: Language, slot: string): readonly string[] {
  const words = slots[language][slot]
  if (!words) throw new Error(`There are no words for ${slot}`)
  return words
}

const slots: Record<Language, Record<string, readonly string[]>> = {
  zh: {
    thing: '索引 缓存 键盘 茶壶 盖碗 镜头 胶卷 面团 高汤 背包 帐篷 登山杖 笔记本 日志 队列 连接池 编译器 字体 路由器 硬盘'.split(' '),
    tea: '龙井 普洱 岩茶 白毫 毛尖 铁观音 碧螺春 单丛 六安 滇红'.split(' '),
    nature: '清风 远山 流云 晚霞 细雨 竹影 松涛 溪石 秋月 初雪 苇岸 鹿鸣'.split(' '),
    place: '杭州 泉州 成都 大理 敦煌 里斯本 京都 伊斯坦布尔 黄山脚下 家门口'.split(' '),
    doing: '调了参数 换了做法 重装一遍 量了水温 看了三遍文档 问了老师傅 写了个脚本 做了对照 记了一个月 从头读了一遍源码'.split(' '),
    result: '快了不少 反而慢了 没什么差别 终于稳定了 香气出来了 报错变了 轻了半斤 味道对了 心里有底了 更糊涂了'.split(' '),
    mood: '其实 说实话 个人感觉 补充一点 刚好 老实讲 顺便说 我猜 没想到 按我的经验'.split(' '),
  },
  en: {
    thing:
      'the index|the cache|my keyboard|the gaiwan|that lens|the film|the dough|the stock|my rucksack|the tent|the log|the queue|the pool|the compiler|the font|the router'.split(
        '|',
      ),
    tea: 'Longjing|Assam|Oolong|Darjeeling|Sencha|Lapsang|Keemun|Silver Needle'.split('|'),
    nature: 'Quiet|River|Morning|Cedar|Harbour|Maple|Winter|Lantern|Meadow|Juniper'.split('|'),
    place: 'Lisbon|Kyoto|Hangzhou|Istanbul|the Dolomites|Edinburgh|my kitchen|the train|Ljubljana'.split('|'),
    doing:
      'changed one setting|measured it twice|read the manual again|asked an old hand|wrote a small script|kept notes for a month|started from nothing'.split(
        '|',
      ),
    result: 'it got faster|nothing changed|it got worse|the error changed|it finally held|I slept better|the taste came back'.split('|'),
    mood: 'honestly|for what it is worth|in my experience|to be fair|as it happens|I may be wrong, but'.split('|'),
  },
}

const sentences: Record<Language, readonly string[]> = {
  zh: [
    '{mood}，{thing}这件事我也遇到过，后来{doing}，{result}。',
    '在{place}的时候试过一次{tea}，{doing}之后{result}。',
    '{thing}别急着换，先{doing}再说。',
    '我用了{n}天，结论是{result}，仅供参考。',
    '有没有人在{place}试过？我这边{doing}以后{result}。',
    '楼上说得对，{thing}的问题多半不在{thing}。',
    '泡着{tea}看完了全文，{mood}受益不少。',
    '同问，我也卡在{thing}上{n}个小时了。',
    '先收藏，周末{doing}，回来报告结果。',
    '数据贴一下：原来{n}毫秒，{doing}以后{n}毫秒。',
  ],
  en: [
    '{mood} {thing} did the same to me until I {doing}, and then {result}.',
    'I tried this with a pot of {tea} in {place}: {result}.',
    'before you replace {thing}, see what happens when you say you {doing}.',
    'after {n} days my verdict is short: {result}.',
    'has anyone seen this outside {place}? I {doing} and {result}.',
    'the problem is rarely {thing}; it is usually {thing}.',
    'I read all of it over some {tea} and learned {n} things.',
    'it took {n} ms before and {n} ms after I {doing}.',
    'bookmarked, will report back when I have {doing}.',
  ],
}

const titles: Record<Language, readonly string[]> = {
  zh: [
    '{doing}以后，{thing}{result}',
    '在{place}喝到的{tea}，和想的不一样',
    '请教：{thing}用了{n}天，{result}',
    '{thing}和{thing}，你们会选哪个？',
    '从{place}回来，记一笔{thing}',
    '{n}块钱的{thing}值不值',
    '{tea}配{thing}，这个搭配我能说{n}天',
  ],
  en: [
    'After {n} days with {thing}: {result}',
    '{tea} from {place}, and what I expected',
    'I {doing} and {result}. Why?',
    '{thing} or {thing}: which would you keep?',
    'Notes from {place}, with {tea}',
    'Is {thing} worth {n} euros?',
  ],
}
