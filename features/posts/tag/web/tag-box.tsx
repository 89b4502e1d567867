import { useEffect, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react'
import { isComposing } from '#base/web/composing.ts'
import { useLater } from '#base/web/lazy-part.ts'
import { useWords } from '#base/web/words.tsx'
import { matchingTags, mayBeSound, type TagOption } from '#tag/web/tag-matching.ts'
import css from '#tag/web/tag-field.module.css'

type TagSelection = {
  options: readonly TagOption[]
  chosen: readonly string[]
  most: number
  add: (id: string) => void
  removeLast: () => void
}

type BoxProps = TagSelection & { id: string; input: { current: HTMLInputElement | null }; isWrong: boolean }

/** The input of the tag field with the list of matches. The focus stays in the input. */
export function TagBox({ id, input, isWrong, ...choosing }: BoxProps) {
  const words = useWords('tag')
  const { text, isOpen, isFull, found, active, show, open, point, take, leave, press } = useTagInput(choosing)
  return (
    <div className={css.typing} onBlur={leave}>
      <input
        ref={input}
        id={id}
        role="combobox"
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={isOpen && active ? `${id}-${active.id}` : undefined}
        aria-describedby={`${id}-help`}
        aria-invalid={isWrong || undefined}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={50}
        placeholder={words(isFull ? 'full' : choosing.chosen.length > 0 ? 'more' : 'choose')}
        readOnly={isFull}
        value={text}
        onChange={({ target }) => show(target.value)}
        onClick={open}
        onKeyDown={press}
      />
      {isOpen && <TagOptions {...{ id, found, text, active, take, point }} />}
    </div>
  )
}

/** The typed text with its matches, and the active one, which Enter selects: the first, after any input. */
function useTagInput({ options, chosen, most, add, removeLast }: TagSelection) {
  const [text, setText] = useState('')
  const [isWanted, setWanted] = useState(false)
  const [at, setAt] = useState(-1)
  const isFull = most > 1 && chosen.length >= most
  const isOpen = isWanted && !isFull
  const sounds = useLater(() => import('#tag/web/spell.ts'), isWanted && mayBeSound(options, text))
  const found = matchingTags(options, text, sounds?.spell ?? null).filter(({ id }) => !chosen.includes(id))
  const active = isOpen ? found[at] : undefined

  function show(typed: string): void {
    setText(typed)
    setWanted(true)
    setAt(typed.trim() === '' ? -1 : 0)
  }
  function take(option: TagOption): void {
    add(option.id)
    show('')
    // The content below must be reachable; typing or an arrow opens the list again.
    setWanted(false)
  }
  function leave(event: FocusEvent): void {
    if (event.currentTarget.contains(event.relatedTarget)) return
    const typed = text.trim().toLowerCase()
    const named = found.find(({ names }) => names.some((name) => name.toLowerCase() === typed))
    if (named && !isFull) add(named.id)
    setText('')
    setWanted(false)
  }
  function step(by: 1 | -1): void {
    setWanted(true)
    const { length } = found
    if (length > 0) setAt(at < 0 ? (by > 0 ? 0 : length - 1) : (at + by + length) % length)
  }
  function press(event: KeyboardEvent): void {
    if (isComposing(event.nativeEvent) || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Backspace' && text === '') return removeLast()
    if (event.key === 'ArrowDown') step(1)
    else if (event.key === 'ArrowUp') step(-1)
    else if (event.key === 'Escape' && isOpen) setWanted(false)
    else if (event.key === 'Enter' && active) take(active)
    else if (event.key !== 'Enter' || text.trim() === '') return
    event.preventDefault()
  }
  const open = () => setWanted(true)
  return { text, isOpen, isFull, found, active, show, open, point: (option: TagOption) => setAt(found.indexOf(option)), take, leave, press }
}

type TagOptionsProps = {
  id: string
  found: readonly TagOption[]
  text: string
  active: TagOption | undefined
  take: (option: TagOption) => void
  point: (option: TagOption) => void
}

function TagOptions({ id, found, text, active, take, point }: TagOptionsProps) {
  const words = useWords('tag')
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div ref={list} id={`${id}-list`} role="listbox" aria-label={words('tag')} className={css.list}>
      {found.length === 0 && <p className={css.none}>{words(text.trim() ? 'noneFound' : 'noneLeft', { text: text.trim() })}</p>}
      {found.map((option) => (
        <div
          key={option.id}
          id={`${id}-${option.id}`}
          role="option"
          tabIndex={-1}
          aria-selected={option === active}
          className={css.option}
          onMouseMove={() => option !== active && point(option)}
          onMouseDown={(event) => {
            event.preventDefault()
            take(option)
          }}
        >
          <bdi>{option.name}</bdi>
          {option.above && <bdi className={css.above}>{option.above}</bdi>}
        </div>
      ))}
    </div>
  )
}
