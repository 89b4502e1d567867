import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyDocument } from '#base/testing/rich-text-factories.ts'
import { toSegments } from '#base/rich-text/to-html.ts'
import { commonPairs } from '#base/web/versions/common-pairs.ts'
import { changesBetween, partsBetween, type Change, type ChangeKind } from '#base/web/versions/changes.ts'
import { linesOf } from '#base/web/versions/lines.ts'
import { runs } from '#base/testing/extent.ts'

describe('a post is read line by line', () => {
  test('with the kind of each line', () => {
    const html =
      '<h2>Why</h2><p>Tea &amp; <strong>water</strong><br>again</p><ul><li><p>one</p></li></ul><blockquote><p>said</p></blockquote>' +
      '<pre tabindex="0" data-language="Go"><code class="language-go">a := 1\n\n  b</code></pre><p class="picture"><img src="/file/f_1" alt="a &quot;cup&quot;"></p>' +
      '<div class="table"><table><tbody><tr><th>Leaf</th><th>g</th></tr></tbody></table></div>'
    expect(linesOf(html)).toEqual([
      { kind: 'heading', text: 'Why' },
      { kind: 'text', text: 'Tea & water' },
      { kind: 'text', text: 'again' },
      { kind: 'item', text: 'one' },
      { kind: 'quote', text: 'said' },
      { kind: 'code', text: 'a := 1' },
      { kind: 'code', text: '  b' },
      { kind: 'picture', text: 'a "cup"', src: '/file/f_1' },
      { kind: 'text', text: 'Leaf | g' },
    ])
  })

  test('without a remaining tag, for any content', () => {
    const around = { picture: () => ({ src: '/file/f_1', width: 1, height: 1 }), mention: () => ({ href: '/u', name: '<b>' }) }
    fc.assert(
      fc.property(anyDocument, (doc) => {
        const html = toSegments(doc, around)
          .map((segment) => segment.html)
          .join('')
        const lines = linesOf(html.replaceAll(/>[^<]+</g, '>x<'))
        expect(lines.filter(({ kind, text }) => kind !== 'picture' && !/^[x |]+$/.test(text))).toEqual([])
      }),
      { numRuns: runs(100) },
    )
  })
})

describe('a change', () => {
  test('is shown word by word, in both languages', () => {
    expect(partsBetween('Steep it for 45 seconds.', 'Steep it for 30 seconds.')).toEqual([
      { how: 'kept', text: 'Steep it for ' },
      { how: 'removed', text: '45' },
      { how: 'added', text: '30' },
      { how: 'kept', text: ' seconds.' },
    ])
    expect(partsBetween('水温八十度最好', '水温九十度最好').filter(({ how }) => how !== 'kept')).toHaveLength(2)
  })

  test('stands between unchanged lines, which are folded', () => {
    const before = '<p>one</p><p>two</p><p>the water is hot</p><p>four</p>'
    const after = '<p>one</p><p>two</p><p>the water is cold</p><p>new</p><p>four</p>'
    const { changes, added, removed } = changesBetween(before, after)
    expect(changes).toEqual([
      { kept: 2 },
      {
        line: { kind: 'text', text: 'the water is cold' },
        how: 'kept',
        parts: [
          { how: 'kept', text: 'the water is ' },
          { how: 'removed', text: 'hot' },
          { how: 'added', text: 'cold' },
        ],
      },
      { line: { kind: 'text', text: 'new' }, how: 'added', parts: [{ how: 'added', text: 'new' }] },
      { kept: 1 },
    ])
    expect([added, removed]).toEqual([7, 3])
  })

  test('may be a picture that took the place of another', () => {
    const picture = (name: string) => `<p class="picture"><img src="/file/${name}" alt="cup"></p>`
    const { changes } = changesBetween(picture('f_1'), picture('f_2'))
    expect(changes.map((change) => 'line' in change && [change.how, change.line.src])).toEqual([
      ['removed', '/file/f_1'],
      ['added', '/file/f_2'],
    ])
  })

  test('is nothing where only the form changed', () => {
    expect(changesBetween('<p>tea</p>', '<p><strong>tea</strong></p>').changes).toEqual([{ kept: 1 }])
    expect(changesBetween('', '').changes).toEqual([])
  })

  test('leads from the one version to the other, for any texts', () => {
    const line = fc.stringMatching(/^[a-d ]{1,12}$/).filter((text) => text.trim() === text && text !== '')
    const lines = fc.array(line, { maxLength: 12 })
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const html = (texts: string[]) => texts.map((text) => `<p>${text}</p>`).join('')
        const { changes } = changesBetween(html(before), html(after))
        expect(textOf(changes, 'removed', before)).toEqual(before)
        expect(textOf(changes, 'added', after)).toEqual(after)
      }),
    )
  })

  test('is found in the longest text, and given up if that would take too long', () => {
    expect(commonPairs([...'xabcy'], [...'zabcw'])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ])
    const lists = (size: number) => ['a', 'b'].map((sign) => Array.from({ length: size }, (_, at) => `${sign}${at}`))
    const [[one = [], other = []], [longer = [], longest = []]] = [lists(500), lists(2_500)]
    expect(commonPairs(['x', ...one, 'y'], ['x', ...other, 'y'])).toEqual([
      [0, 0],
      [501, 501],
    ])
    expect(commonPairs(['x', ...longer], ['x', ...longest])).toEqual([])
  })
})

/** The lines of one side: kept ones from the version itself, and those only there. */
function textOf(changes: readonly Change[], side: ChangeKind, version: readonly string[]): string[] {
  const rest = [...version]
  return changes.flatMap((change) => {
    if ('kept' in change) return rest.splice(0, change.kept)
    const text = change.parts
      .filter(({ how }) => how === 'kept' || how === side)
      .map((part) => part.text)
      .join('')
    if (change.how !== 'kept' && change.how !== side) return []
    rest.shift()
    return [text]
  })
}
