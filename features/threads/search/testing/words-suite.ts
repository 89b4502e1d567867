import { expect, test } from 'vitest'
import { bracketed, find, names, settled, type EngineContext } from '#search/testing/engine-suite.ts'

/** Word search, in any engine. */
export function findsWords(ground: EngineContext): void {
  test('Chinese is found by phrases in their order, and by single characters', async () => {
    const pot = await ground.topic('一把旧茶壶', '壶盖有一道细纹。')
    const other = await ground.topic('壶里的茶', '放凉了也好喝。')
    await settled(ground)
    // Scattered characters rank below adjacent ones and do not count as complete matches.
    expect(await find(ground, '茶壶')).toMatchObject({ whole: 1, hits: [{ id: pot }, { id: other }] })
    expect(await names(ground, '细纹')).toEqual([`topic ${pot}`])
    expect(new Set(await names(ground, '壶'))).toEqual(new Set([`topic ${pot}`, `topic ${other}`]))
    expect((await find(ground, '壶')).hits.map(({ title }) => bracketed(title)).toSorted()).toEqual(['[壶]里的茶', '一把旧茶[壶]'])
  })

  test('English is found in any form of its words, and a comment leads to its floor', async () => {
    const topicId = await ground.topic('Sharpening kitchen knives', 'The blade was sharpened on three stones.')
    const commentId = await ground.comment(topicId, 'Mine gets dull within weeks of chopping.')
    const replyId = await ground.reply(commentId, 'A honing rod helps between sharpenings.')
    await settled(ground)
    expect([(await names(ground, 'sharpen knife'))[0], (await find(ground, 'sharpen knife')).whole]).toEqual([`topic ${topicId}`, 1])
    expect(new Set(await names(ground, 'sharpens'))).toEqual(new Set([`topic ${topicId}`, `reply ${replyId}`]))
    const { hits } = await find(ground, 'chopped')
    expect(hits).toMatchObject([{ kind: 'comment', topicId, commentId, floor: 1, commentCount: null }])
    expect(bracketed(hits[0]?.title ?? [])).toBe('Sharpening kitchen knives')
    expect(bracketed(hits[0]?.excerpt ?? [])).toBe('Mine gets dull within weeks of [chopping].')
    expect((await find(ground, 'honing')).hits).toMatchObject([{ kind: 'reply', id: replyId, commentId, floor: 1 }])
  })

  test('case, width, accents and traditional characters make no difference', async () => {
    const topicId = await ground.topic('在臺灣喝 Café Olé', '東方美人與 ＯＯＬＯＮＧ，１２３ 次。Groß in der Straße.')
    await settled(ground)
    const german = ['strasse', 'Straße', 'STRASSE', 'GROẞ', 'gross']
    for (const keyword of [...german, '台湾', '臺灣', 'CAFE', 'café', '东方美人', 'oolong', 'ｏｏｌｏｎｇ', '123'])
      expect(await names(ground, keyword), keyword).toContain(`topic ${topicId}`)
  })

  test('words of other scripts are found, with and without the points and lines that only some writers set', async () => {
    const topicId = await ground.topic(
      'مَرْحَبًا يا شايـــي',
      'שָׁלוֹם. Ο καλός οδός. Зелёный чай. ชาเขียวร้อน हिन्दी में चाय, ٨٧٢٣. 나는 보리차를 좋아해.',
    )
    await settled(ground)
    const arabic = ['مرحبا', 'مَرْحَبًا', 'مـرحبا', 'شايي', 'شايى', '8723', '٨٧٢٣']
    const spaced = ['שלום', 'ΟΔΟΣ', 'καλος', 'зеленый', 'ЧАЙ', 'हिन्दी', 'चाय']
    for (const keyword of [...arabic, ...spaced, 'เขียว', 'ชา', '보리차', '보리차를', '리차', '좋아'])
      expect(await names(ground, keyword), keyword).toEqual([`topic ${topicId}`])
    expect(bracketed((await find(ground, 'مرحبا')).hits[0]?.title ?? [])).toBe('[مَرْحَبًا] يا شايـــي')
    expect(bracketed((await find(ground, 'เขียว')).hits[0]?.excerpt ?? [])).toContain('ชา[เขียว]ร้อน')
  })
}

export function findsTitles(ground: EngineContext): void {
  test('a Chinese title is found by its pinyin and by its initials', async () => {
    const topicId = await ground.topic('蒙顶甘露怎么泡', '水温低一些。')
    await settled(ground)
    for (const keyword of ['mengding', 'mengdingganlu', 'mdgl', 'dgl'])
      expect(await names(ground, keyword), keyword).toEqual([`topic ${topicId}`])
  })

  test('a short word is heard in Chinese titles too, after all that say it; only whole syllables count, and are marked', async () => {
    const tofu = await ground.topic('周末做麻婆豆腐', '花椒要现磨。')
    const dragon = await ground.topic('龙门石窟一日游', '早上人少。')
    const wall = await ground.topic('长城脚下的早饭', '生煎最香。')
    const tea = await ground.topic('一只茶碗', '口沿很薄。')
    await ground.topic('马坡村看花', '四月正好。')
    const english = await ground.topic('Ferry times', 'The queue was long.')
    await settled(ground)
    const mapo = await find(ground, 'mapo')
    expect(mapo).toMatchObject({ total: 2, whole: 2, respelled: [] })
    expect(mapo.hits.map(({ title }) => bracketed(title))).toContain('周末做[麻婆]豆腐')
    expect(mapo.hits.map(({ id }) => id)).toContain(tofu)
    expect(await names(ground, 'long')).toEqual([`topic ${english}`, `topic ${dragon}`])
    expect((await find(ground, 'longmen')).hits.map(({ title }) => bracketed(title))).toEqual(['[龙门]石窟一日游'])
    expect((await find(ground, 'lmsk')).hits.map(({ title }) => bracketed(title))).toEqual(['[龙门石窟]一日游'])
    expect(await names(ground, '"long"')).toEqual([`topic ${english}`])
    expect(await names(ground, 'cha')).toContain(`topic ${tea}`)
    expect(await names(ground, 'cha')).not.toContain(`topic ${wall}`)
  })
}

/** Search by prefix. */
export function findsBeginnings(ground: EngineContext): void {
  test('the beginning of a word finds it, wherever it stands, after what says the beginning itself', async () => {
    const title = await ground.topic('Moving to zephyrosql', 'It took a week.')
    const text = await ground.topic('A week of work', 'We left for zephyrosql and never came back.')
    await settled(ground)
    expect(new Set(await names(ground, 'zephyr'))).toEqual(new Set([`topic ${title}`, `topic ${text}`]))
    expect(await find(ground, 'zephyr')).toMatchObject({ total: 2, whole: 2, respelled: [] })
    expect((await find(ground, 'zephyr')).hits.map((hit) => bracketed([...hit.title, ...hit.excerpt]))).toEqual(
      expect.arrayContaining(['Moving to [zephyrosql]It took a week.', 'A week of workWe left for [zephyrosql] and never came back.']),
    )
    const itself = await ground.comment(text, 'A zephyr blew.')
    await settled(ground)
    expect((await names(ground, 'zephyr'))[0]).toBe(`comment ${itself}`)
    expect(await names(ground, 'zephyr')).toHaveLength(3)
  })

  test('a word that is half typed finds all its forms, among other words too', async () => {
    const topicId = await ground.topic('Percolators compared', 'Three of steel.')
    await settled(ground)
    for (const keyword of ['percol', 'percola', 'percolato', 'perco steel', 'steel perco'])
      expect(await names(ground, keyword), keyword).toEqual([`topic ${topicId}`])
  })

  test('what is quoted is no beginning, and neither are two letters', async () => {
    await ground.topic('Rare metals', 'Ytterbium from the north.')
    await settled(ground)
    expect(await names(ground, 'ytte')).toHaveLength(1)
    expect(await names(ground, '"ytte"')).toEqual([])
    expect(await names(ground, 'yt')).toEqual([])
  })
}

/** The alternatives to the words as typed. */
export function findsOtherwise(ground: EngineContext): void {
  test('what stands in the title comes before what stands below it', async () => {
    const textMatch = await ground.topic('Odds and ends', 'Some lines on marmalade, and marmalade again.')
    const title = await ground.topic('Marmalade', 'Oranges, sugar, time.')
    const remark = await ground.comment(textMatch, 'Marmalade?')
    await settled(ground)
    expect((await names(ground, 'marmalade'))[0]).toBe(`topic ${title}`)
    expect(new Set(await names(ground, 'marmalade'))).toEqual(new Set([`topic ${title}`, `topic ${textMatch}`, `comment ${remark}`]))
  })

  test('a slip of the finger is forgiven and told', async () => {
    const topicId = await ground.topic('A trustworthy barometer', 'It fell all night.')
    await settled(ground)
    for (const keyword of ['barometr', 'baromter', 'barmoeter', 'barometter']) {
      const { hits, respelled } = await find(ground, keyword)
      expect(
        hits.map(({ id }) => id),
        keyword,
      ).toEqual([topicId])
      expect(respelled).toEqual([{ from: keyword, to: 'barometer' }])
    }
    expect((await find(ground, 'barometers')).respelled).toEqual([])
  })

  test('a slip in the beginning of a word is forgiven and told, too', async () => {
    const topicId = await ground.topic('Tuning kaleidosql', 'Vacuum at night.')
    await settled(ground)
    for (const keyword of ['kaleidsoq', 'kaleidsq', 'kaleidoz']) {
      const { hits, respelled } = await find(ground, keyword)
      expect([hits.map(({ id }) => id), respelled], keyword).toEqual([[topicId], [{ from: keyword, to: 'kaleidosql' }]])
    }
  })

  test('a word that is written somewhere one may look is never corrected', async () => {
    const script = await ground.topic('Running tsx without a bundler', 'Only with deno.js, on a spare machine.')
    await ground.topic('Tidy dens', 'Many a denno.')
    await ground.topic('A demo of the loom', 'Bring yarn. Demo at noon, demo at four.')
    await settled(ground)
    const { hits, respelled } = await find(ground, 'deno.js')
    expect(hits.map(({ id }) => id)).toEqual([script])
    expect(respelled).toEqual([])
    expect(await names(ground, 'deno')).toEqual([`topic ${script}`])
  })
}

export function findsTogether(ground: EngineContext): void {
  test('those that have all words come first, then those that have much of it', async () => {
    const both = await ground.topic('Quince and walnut cake', 'Bake for an hour.')
    const one = await ground.topic('Quince jelly', 'Strain it twice.')
    await settled(ground)
    const { hits, whole, total } = await find(ground, 'quince walnut')
    expect([hits.map(({ id }) => id), whole, total]).toEqual([[both, one], 1, 2])
  })

  test('what is quoted is there as it stands', async () => {
    const exact = await ground.topic('A note', 'The cold brew was left overnight.')
    await ground.topic('Another note', 'Brew it hot when it is cold outside.')
    await settled(ground)
    expect(await names(ground, '"cold brew"')).toEqual([`topic ${exact}`])
    for (const keyword of ['“cold brew”', '＂cold brew＂', '„cold brew“', '"cold brew＂'])
      expect(await names(ground, keyword)).toEqual([`topic ${exact}`])
    expect(await names(ground, 'cold brew')).toHaveLength(2)
    expect((await names(ground, 'cold brew'))[0]).toBe(`topic ${exact}`)
    expect((await find(ground, '"brew cold"')).total).toBe(0)
  })

  test('a question in whole sentences finds what it is about', async () => {
    const topicId = await ground.topic('砂锅裂了还能修吗', '锅底一条缝。')
    await settled(ground)
    expect((await names(ground, '请问砂锅开裂了怎么办'))[0]).toBe(`topic ${topicId}`)
    expect((await names(ground, '砂锅裂了还能修吗？'))[0]).toBe(`topic ${topicId}`)
  })

  test('long texts are shown where most of what was looked for stands', async () => {
    const filler = 'Nothing of note happened on this day, nor on the next. '.repeat(20)
    await ground.topic('A diary', `A heron. ${filler}Then a heron stood by the weir until dusk. ${filler}`)
    await settled(ground)
    const { hits } = await find(ground, 'heron weir dusk')
    const excerpt = bracketed(hits[0]?.excerpt ?? [])
    expect(excerpt).toContain('[heron] stood by the [weir] until [dusk]')
    expect(excerpt.startsWith('…') && excerpt.endsWith('…')).toBe(true)
    expect(excerpt.length).toBeLessThan(270)
  })
}

export function findsWithout(ground: EngineContext): void {
  test('a word or a phrase with a minus is not there, in any form; alone it is a word like another', async () => {
    const plain = await ground.topic('Persimmon bread', 'Slice it warm.')
    const withNuts = await ground.topic('Persimmon pudding', 'Crushed pecans on top.')
    const chinese = await ground.topic('柿饼的做法', '放在竹匾上晒干。')
    await ground.topic('柿饼的吃法', '夹核桃仁。')
    await settled(ground)
    expect(new Set(await names(ground, 'persimmon'))).toEqual(new Set([`topic ${plain}`, `topic ${withNuts}`]))
    for (const keyword of [
      'persimmon -pecan',
      '-pecans persimmon',
      'persimmon -"crushed pecans"',
      'persimmon －PECAN',
      'persimmon −pecan',
      'persimmon －＂crushed pecans＂',
    ])
      expect(await names(ground, keyword), keyword).toEqual([`topic ${plain}`])
    for (const keyword of ['柿饼 -核桃', '柿饼 -核', '柿饼 -桃', '柿饼 －「夹核桃」'])
      expect(await names(ground, keyword), keyword).toEqual([`topic ${chinese}`])
    for (const keyword of ['persimmon -"top pecans"', 'persimmon -"pecans crushed"'])
      expect(await names(ground, keyword), keyword).toContain(`topic ${withNuts}`)
    expect(await names(ground, '-pecan')).toEqual([`topic ${withNuts}`])
    expect((await find(ground, 'persimmon-pecan')).hits.map(({ id }) => id)).toContain(withNuts)
  })
}
