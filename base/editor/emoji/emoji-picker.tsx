import { EmojiPicker as Picker, useSkinTone, type EmojiData, type EmojiPickerListComponents } from 'frimousse'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { isComposing } from '#base/web/composing.ts'
import { loadEmoji, type Language, type EmojiEntry } from '#base/editor/emoji/emoji-data.ts'
import { columns, countUse, storedTone, storeTone, skinTones } from '#base/editor/emoji/emoji-memory.ts'
import { EmojiGroups } from '#base/editor/emoji/emoji-groups.tsx'
import { hexcodeOf, searchResults, pickerData } from '#base/editor/emoji/picker-data.ts'
import { Failed, Skeleton } from '#base/web/states.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import css from '#base/editor/emoji/emoji.module.css'

/** All emoji by group, the most used first; the search matches the words of both languages. */
export function EmojiPicker({ choose }: { choose: (emoji: string) => void }) {
  const language = useLanguage()
  const [entries, setSigns] = useState<EmojiEntry[] | null>(null)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    if (!hasFailed) loadEmoji(language).then(setSigns, () => setFailed(true))
  }, [language, hasFailed])
  if (hasFailed) return <Failed retry={() => setFailed(false)} />
  return entries ? <EmojiList signs={entries} language={language} choose={choose} /> : <Skeleton lines={6} />
}

function EmojiList({ signs, language, choose }: { signs: readonly EmojiEntry[]; language: Language; choose: (emoji: string) => void }) {
  const words = useWords('editor')
  const [search, setSearch] = useState('')
  const box = useRef<HTMLInputElement>(null)
  const view = useRef<HTMLDivElement>(null)
  const [shelves] = useState(() => pickerData(signs, words))
  const [tone] = useState(storedTone)
  // On touch devices the keyboard would cover the emoji.
  useEffect(() => {
    if (matchMedia('(hover: hover)').matches) box.current?.focus()
  }, [])

  async function bring(query: string): Promise<EmojiData> {
    if (!query.startsWith('?')) return shelves
    const others = await loadEmoji(language === 'zh' ? 'en' : 'zh').catch(() => [])
    return searchResults(query.slice(1), signs, others, words)
  }

  return (
    <Picker.Root
      // The search term is part of the locale, under which the picker requests and caches its data.
      locale={search.trim() ? `?${search.trim()}` : language}
      resolveEmojiData={bring}
      columns={columns}
      skinTone={tone}
      className={css.picker}
      onEmojiSelect={({ emoji }) => {
        countUse(hexcodeOf(emoji, signs))
        choose(emoji)
      }}
    >
      <Picker.Search
        ref={box}
        aria-label={words('emojiSearch')}
        placeholder={words('emojiSearch')}
        className={css.search}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={ignoreInputMethodKeys}
      />
      {!search.trim() && <EmojiGroups shelves={shelves} view={view} search={box} />}
      <Picker.Viewport ref={view} className={css.view}>
        <Picker.Loading className={css.note}>{words('emojiComing')}</Picker.Loading>
        <Picker.Empty className={css.note}>{words('emojiNone')}</Picker.Empty>
        <Picker.List className={css.list} aria-label={words('emoji')} components={parts} />
      </Picker.Viewport>
      <Foot />
    </Picker.Root>
  )
}

/** The active emoji with its name, and the skin tones. */
function Foot() {
  return (
    <div className={css.foot}>
      <Picker.ActiveEmoji>
        {({ emoji }) => (
          <p className={css.active} aria-hidden="true">
            {emoji && <b>{emoji.emoji}</b>}
            {emoji?.label}
          </p>
        )}
      </Picker.ActiveEmoji>
      <Tones />
    </div>
  )
}

function Tones() {
  const words = useWords('editor')
  const [chosen, set, tones] = useSkinTone('✋')
  return (
    <div role="group" aria-label={words('emojiTones')} className={css.tones}>
      {tones.map(({ skinTone, emoji }) => (
        <button
          key={skinTone}
          type="button"
          aria-pressed={skinTone === chosen}
          aria-label={words('emojiTone', { tone: skinTones.indexOf(skinTone) + 1 })}
          onClick={() => {
            set(skinTone)
            storeTone(skinTone)
          }}
        >
          {emoji}
        </button>
      ))}
    </div>
  )
}

const parts: EmojiPickerListComponents = {
  CategoryHeader: ({ category, ...rest }) => (
    <div {...rest} className={css.group}>
      {category.label}
    </div>
  ),
  // The picker numbers rows from 0, ARIA from 1. It finds its rows by number, the first one without.
  Row: (row) => <div {...row} aria-rowindex={row['aria-rowindex'] || undefined} className={css.row} />,
  Emoji({ emoji, ...rest }) {
    const cell = { ...rest, 'aria-colindex': (rest['aria-colindex'] ?? 0) + 1 }
    return (
      <button type="button" {...cell} title={emoji.label} className={css.sign}>
        {emoji.emoji}
      </button>
    )
  },
}

// Keys of an input method are not for the picker, which listens to the whole page.
function ignoreInputMethodKeys(event: KeyboardEvent): void {
  if (isComposing(event.nativeEvent)) event.stopPropagation()
}
