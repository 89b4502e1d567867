import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { drawCard, tall, wide, type Card } from '#file/server/card.ts'
import { drawable } from '#file/server/card-letters.ts'
import { drawText, leading } from '#file/server/card-text.ts'

// As on a server without fonts of its own.
const folder = mkdtempSync(join(tmpdir(), 'teahouse-fonts-'))
const fonts = fileURLToPath(new URL('./card-font', import.meta.url))
process.env['FONTCONFIG_FILE'] = join(folder, 'fonts.conf')
writeFileSync(process.env['FONTCONFIG_FILE'], `<fontconfig><dir>${fonts}</dir><cachedir>${folder}</cachedir></fontconfig>`)
afterAll(() => {
  delete process.env['FONTCONFIG_FILE']
  rmSync(folder, { recursive: true })
})

const plain: Card = {
  title: 'Tea',
  excerpt: 'A cup of it.',
  author: { name: 'mei', letters: 'M', face: null },
  about: 'Green',
  site: { name: 'Teahouse', mark: null },
  way: null,
}
const way = { address: 'https://tea.example.org/thread?topicId=1', invitation: 'Scan', host: 'tea.example.org' }
const title = { size: 60, colour: '#000', isBold: true, lines: 4 }
const body = { size: 36, colour: '#000', lines: 4 }

const texts = {
  Chinese: '一茶馆喆镕堃㐂䶮龘東',
  Japanese: 'あん漢字働くヴ髙',
  Korean: '한국어뷁힣',
  Arabic: 'مرحباشڤ',
  Hebrew: 'שלום',
  Devanagari: 'नमस्तेक्षत्रिय',
  Bengali: 'বাংলা',
  Tamil: 'தமிழ்',
  Telugu: 'తెలుగు',
  Thai: 'ไทยก็',
  Lao: 'ລາວ',
  Khmer: 'ខ្មែរ',
  Burmese: 'မြန်မာ',
  Tibetan: 'བོད',
  Sinhala: 'සිංහල',
  Georgian: 'ქართული',
  Armenian: 'հայերեն',
  Amharic: 'አማርኛ',
  Mongolian: 'ᠮᠣᠩᠭᠣᠯ',
  Greek: 'Ελληνικά',
  Cyrillic: 'Русскийїђ',
  Vietnamese: 'Tiếngế',
  signs: '①★→✓№½₿𝓗ⓐ',
  emoji: '🍵👩‍👩‍👧‍👦🇨🇳❤️1️⃣👍🏽',
}

test.each(Object.entries(texts))('a card has the letters of %s', async (_, text) => {
  expect(await drawable(text)).toBe(text)
})

test.each(['茶', '한', 'ش', 'न', 'ไ', 'ї', 'W', '￥'])('%s is no box in either weight', async (letter) => {
  for (const style of [title, body]) {
    const [one, box] = await Promise.all([drawText(letter, 900, style), drawBox(style.size)])
    expect(one.input.equals(box)).toBe(false)
  }
})

async function drawBox(size: number): Promise<Buffer> {
  return sharp({ text: { text: '\ufdd0', font: `Teahouse Share ${size}`, dpi: 72, rgba: true } })
    .png({ compressionLevel: 1 })
    .toBuffer()
}

test.each([
  ['what no font has', 'a𓀀𓀁b 𓀀', 'a…b …'],
  ['nothing but that', '𓀀', '…'],
  ['nothing', '', '…'],
  ['what shows nothing', '\u200b\u3164\u2800', '…'],
  ['control characters and halves of others', 'a\u0000b\ud800c', 'a b c'],
])('%s is drawn without missing glyphs', async (_, text, drawn) => {
  expect(await drawable(text)).toBe(drawn)
})

test('emoji have their colours', async () => {
  const { channels } = await sharp((await drawText('🍵', 900, body)).input)
    .flatten({ background: '#fff' })
    .stats()
  const [red, green, blue] = channels.map(({ mean }) => mean)
  expect((green ?? 0) - Math.min(red ?? 0, blue ?? 0)).toBeGreaterThan(10)
})

test('a word of Arabic is written in one, and stands at the right', async () => {
  const joined = await drawText('ببب', 900, title)
  const apart = await drawText('ب ب ب', 900, title)
  expect(joined.width).toBeLessThan(0.6 * apart.width)
  expect(joined.isFromRight).toBe(true)
})

test.each([
  ['Chinese', '茶'.repeat(400)],
  ['a word without end', 'W'.repeat(400)],
  ['Arabic', 'أفضل طريقة '.repeat(60)],
  ['families', '👩‍👩‍👧‍👦'.repeat(120)],
  ['a mixture', '𓀀 ਪੰਜਾਬੀ བོད <b> & ไทย '.repeat(30)],
])('a long text is cut by lines: %s', async (_, text) => {
  for (const lines of [1, 4]) {
    const { width, height } = await drawText(text, 900, { ...body, lines })
    expect(width).toBeLessThanOrEqual(900 + body.size)
    expect(height).toBeLessThanOrEqual(lines * body.size * leading)
    expect(height).toBeGreaterThan((lines - 1) * body.size * leading)
  }
})

test('heaps of marks take no more lines than others', async () => {
  const { height } = await drawText(`a${'\u0301'.repeat(30)} `.repeat(60), 900, { ...body, lines: 2 })
  expect(height).toBeLessThanOrEqual(2 * body.size * leading)
})

test('a text with room stays whole', async () => {
  const [whole, once] = await Promise.all([drawText('茶'.repeat(50), 900, body), drawText('茶'.repeat(50), 900, { ...body, lines: 40 })])
  expect(whole.input.equals(once.input)).toBe(true)
})

test('quotation marks of a Latin text are as narrow as its letters', async () => {
  const [curly, straight] = await Promise.all([drawText('O’N', 900, body), drawText("O'N", 900, body)])
  expect(curly.width).toBeLessThan(straight.width + 8)
})

test.each([
  ['all is short', plain],
  ['there is nothing to quote', { ...plain, excerpt: '' }],
  [
    'all is long',
    {
      title: '长标题 '.repeat(40),
      excerpt: '茶'.repeat(180),
      author: { name: 'W'.repeat(80), letters: '🐉', face: null },
      about: '标签'.repeat(60),
      site: { name: '网站'.repeat(60), mark: null },
      way: null,
    },
  ],
])('a card beside a link has one size, and one for the link itself its own: %s', async (_, card) => {
  expect(await sharp((await drawCard(card)).bytes).metadata()).toMatchObject({ format: 'png', ...wide, channels: 3 })
  const { width, height } = await drawCard({ ...card, way })
  expect(width).toBe(tall.width)
  expect(height).toBeGreaterThanOrEqual(tall.least)
  expect(height).toBeLessThan(1_600)
})
