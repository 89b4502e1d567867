import { expect, test } from 'vitest'
import { bracketed, find, names, settled, type EngineContext } from '#search/testing/engine-suite.ts'

/** The forms and the sounds of Chinese characters. */
export function findsVariants(ground: EngineContext): void {
  test('the variants of Taiwan and Hong Kong are one character, in what is searched and in what is written', async () => {
    const islands = await ground.topic('防曬與化粧', '衞生署說：沿著海邊走，有顯著的分別。')
    const mainland = await ground.topic('防晒与化妆', '卫生署说：沿着海边走，有显著的分别。')
    await settled(ground)
    for (const keyword of ['化妆', '化妝', '化粧', '卫生署', '衛生署', '衞生署', '沿着', '沿著', '显著', '顯著'])
      expect(new Set(await names(ground, keyword)), keyword).toEqual(new Set([`topic ${islands}`, `topic ${mainland}`]))
  })

  test('a traditional title is spelled by its words, and ü is typed as v or as u', async () => {
    const concert = await ground.topic('週末的音樂會', '在公園裡。')
    const strategy = await ground.topic('下棋的战略', '先守后攻。')
    const green = await ground.topic('綠茶與女兒紅', '一杯一壺。')
    await settled(ground)
    for (const [keyword, id] of [
      ['yinyuehui', concert],
      ['yyh', concert],
      ['zhanlue', strategy],
      ['zhanlve', strategy],
      ['lvcha', green],
      ['lucha', green],
      ['nverhong', green],
      ['nuerhong', green],
    ] as const)
      expect(await names(ground, keyword), keyword).toEqual([`topic ${id}`])
    expect((await find(ground, 'zhanlue')).hits.map(({ title }) => bracketed(title))).toEqual(['下棋的[战略]'])
  })
}

/** Names, signs, and what was typed as one word. */
export function findsNames(ground: EngineContext): void {
  test('a name is found with and without the signs that join it', async () => {
    const signed = await ground.topic('Trying Node.js on a loom', 'Over wi-fi, of course.')
    const joined = await ground.topic('A loom without NodeJS', 'It has wifi.')
    await settled(ground)
    for (const keyword of ['nodejs', 'node.js', 'Node.JS', 'wifi', 'wi-fi', 'nodejs wi-fi'])
      expect(new Set(await names(ground, keyword)), keyword).toEqual(new Set([`topic ${signed}`, `topic ${joined}`]))
    const titles = (await find(ground, 'nodejs')).hits.map(({ title }) => bracketed(title))
    expect(titles.toSorted()).toEqual(['A loom without [NodeJS]', 'Trying [Node.js] on a loom'])
    expect(await names(ground, '"node.js"')).toEqual([`topic ${signed}`])
  })

  test('a sign is found alone; beside words it is decoration', async () => {
    const owl = await ground.topic('夜里的声音 🦉', '听了一晚。')
    const thumbs = await ground.topic('Owls at night', 'Heard two 🦉🏽 and a ☂️, for 5 ₿.')
    await settled(ground)
    expect(new Set(await names(ground, '🦉'))).toEqual(new Set([`topic ${owl}`, `topic ${thumbs}`]))
    for (const keyword of ['☂', '☂️', '₿', 'owls 🫖', '☂ -🫖']) expect(await names(ground, keyword), keyword).toEqual([`topic ${thumbs}`])
    expect(await names(ground, '🦉 -☂')).toEqual([`topic ${owl}`])
    expect(bracketed((await find(ground, '🦉')).hits.find(({ id }) => id === owl)?.title ?? [])).toBe('夜里的声音 [🦉]')
    expect(await names(ground, '🪁')).toEqual([])
  })

  test('a word that stands nowhere finds nothing, though parts of it stand everywhere', async () => {
    await ground.topic('Nine ways to decant 9', 'Nothing but 9 cups.')
    await settled(ground)
    for (const keyword of ['zqxnothing9', 'zqx…nothing9', 'zqx9', '9zqx', 'nothing.zqx', 'zqx-nothing'])
      expect((await find(ground, keyword)).total, keyword).toBe(0)
    expect((await find(ground, 'zqx9 decant')).hits).toHaveLength(1)
  })
}
