import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { drawCard } from '#file/server/card.ts'

// As on a server without fonts of its own.
const folder = mkdtempSync(join(tmpdir(), 'teahouse-fonts-'))
process.env['FONTCONFIG_FILE'] = join(folder, 'fonts.conf')
writeFileSync(process.env['FONTCONFIG_FILE'], `<fontconfig><cachedir>${folder}</cachedir></fontconfig>`)
afterAll(() => rmSync(folder, { recursive: true }))

/** Which columns of a card's title have ink, from its first to its last. */
async function inkOf(title: string): Promise<boolean[]> {
  const { bytes } = await drawCard({ title, under: 'mei', site: 'Tea' })
  const { data, info } = await sharp(bytes)
    .extract({ left: 30, top: 40, width: 1170, height: 400 })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const columns = Array.from({ length: info.width }, (_, x) => {
    return Array.from({ length: info.height }, (_, y) => data[(y * info.width + x) * info.channels] ?? 255).some((grey) => grey < 128)
  })
  return columns.slice(columns.indexOf(true), columns.lastIndexOf(true) + 1)
}

const widthOf = async (title: string) => (await inkOf(title)).length

// What a font lacks is a box with its number, and those are as wide for each letter.
test.each([
  ['Arabic', 'ا', 'ش'],
  ['Hebrew', 'ו', 'ש'],
  ['Thai', 'เ', 'ฌ'],
  ['Hindi', 'र', 'ञ'],
  ['Greek', 'ί', 'ώ'],
  ['Cyrillic', 'ї', 'щ'],
  ['Latin', 'ĩ', 'ṁ'],
])('a share picture has the letters of %s', async (_, thin, wide) => {
  const [narrow, broad] = [await widthOf(thin.repeat(6)), await widthOf(wide.repeat(6))]
  expect(narrow).toBeLessThan(0.75 * broad)
})

test('and those of Korean', async () => {
  expect(await widthOf('한국어')).toBeGreaterThan(2 * (await widthOf('한')))
  expect(await inkOf('가가')).not.toEqual(await inkOf('힝힝'))
})

test('a word of Arabic is written in one, from right to left', async () => {
  expect(await inkOf('ببب')).not.toContain(false)
  const mixed = await inkOf('اااا ששש')
  expect(mixed.slice(0, 20).filter(Boolean).length).toBeGreaterThan(mixed.slice(-20).filter(Boolean).length)
})
