import { useEffect, useEffectEvent, useId, useRef, useState, type ChangeEvent, type KeyboardEvent } from 'react'
import { isComposing } from '#base/web/composing.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#base/admin/combobox.module.css'

export type Option = {
  id: string
  name: string
  hint?: string
  /** Shown as the parent of other options, but not selectable. */
  isDisabled?: boolean
  isNested?: boolean
}

/** The options that match a text, synchronously if all are loaded. */
export type FindOptions<One extends Option> = (typed: string) => readonly One[] | Promise<readonly One[]>

type ComboboxProps<One extends Option> = {
  name: string
  find: FindOptions<One>
  /** The initial selection. */
  initial?: One | undefined
  placeholder: string
  choose?: ((one: One | null) => void) | undefined
  control?: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }
  isFirst?: boolean | undefined
  /** Options come from the server, after a pause in typing. */
  isRemote?: boolean
}

const debounceMs = 150

/** A combobox: arrow keys move through the options, Enter selects, Escape restores the selection, an empty field clears it. */
export function Combobox<One extends Option>(props: ComboboxProps<One>) {
  const { name, placeholder, control, isFirst } = props
  const words = useWords('admin')
  const listId = useId()
  const { isOpen, shown, chosen, offered, hasFailed, near, take, ...does } = useCombobox(props)
  return (
    <div className={css.box}>
      <input type="hidden" name={name} value={chosen?.id ?? ''} />
      <input
        {...control}
        {...does}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && near ? `${listId} ${near.id}` : undefined}
        autoComplete="off"
        placeholder={placeholder}
        data-first={isFirst || undefined}
        value={shown}
        onFocus={({ target }) => target.select()}
      />
      {isOpen && offered && <Options id={listId} label={placeholder} options={offered} active={near} select={take} />}
      {isOpen && !hasFailed && offered?.length === 0 && <p className="meta">{words('nothingFound')}</p>}
      {hasFailed && <p className="wrong">{words('notFound')}</p>}
    </div>
  )
}

function useCombobox<One extends Option>({ find, initial, choose, isRemote = false }: ComboboxProps<One>) {
  const [chosen, setChosen] = useState<One | null>(initial ?? null)
  const { isOpen, typed, at, setAt, open, type, close } = useTypedText()
  const { offered, isKnown, isAwaited, whenKnown, hasFailed } = useOptions(find, isOpen ? (typed ?? '') : null, isRemote)
  const able = offered?.filter(({ isDisabled }) => !isDisabled) ?? []
  // The current options may belong to an earlier text.
  const near = typed && !isKnown ? undefined : able[Math.min(at, able.length - 1)]

  function take(one: One | null): void {
    setChosen(one)
    close()
    choose?.(one)
  }

  function selectActive(all: readonly One[]): void {
    const nearest = all.find(({ isDisabled }) => !isDisabled)
    if (nearest) take(nearest)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event.nativeEvent)) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && !isOpen) open()
    else if (step && near) setAt((Math.min(at, able.length - 1) + step + able.length) % able.length)
    else if (event.key === 'Enter' && isOpen && near) take(near)
    // No option matches yet, or at all: the previous selection is not meant.
    else if (event.key === 'Enter' && typed) whenKnown(selectActive)
    else if (event.key === 'Escape' && isOpen) close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  function onBlur(): void {
    if (typed === '' && chosen) take(null)
    else if (isKnown || !isAwaited()) close()
  }

  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => type(target.value)
  return { isOpen, shown: typed ?? chosen?.name ?? '', chosen, offered, hasFailed, near, take, onKeyDown, onChange, onBlur, onClick: open }
}

/** The typed text, whether the list is open, and the active option. */
function useTypedText() {
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState<string | null>(null)
  const [at, setAt] = useState(0)
  const open = () => setOpen(true)

  function type(text: string | null): void {
    setTyped(text)
    setOpen(text !== null)
    setAt(0)
  }

  return { isOpen, typed, at, setAt, open, type, close: () => type(null) }
}

type OptionsProps<One> = { id: string; label: string; options: readonly One[]; active: One | undefined; select: (one: One) => void }

function Options<One extends Option>({ id, label, options, active, select }: OptionsProps<One>) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  if (options.length === 0) return null
  return (
    <div ref={list} id={id} role="listbox" aria-label={label} className={css.offered}>
      {options.map((one) => (
        <button
          key={one.id}
          id={`${id} ${one.id}`}
          type="button"
          role="option"
          tabIndex={-1}
          disabled={one.isDisabled}
          aria-selected={one === active}
          data-below={one.isNested || undefined}
          // Keeps the focus in the field, and so the list open.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => select(one)}
        >
          <bdi>{one.name}</bdi> {one.hint && <span>{one.hint}</span>}
        </button>
      ))}
    </div>
  )
}

/** The options for the typed text; the previous ones until they arrive, null before the first. */
function useOptions<One extends Option>(find: FindOptions<One>, typed: string | null, isFar: boolean) {
  const [found, setFound] = useState<{ typed: string; all: readonly One[] | null } | null>(null)
  const ask = useEffectEvent(async (text: string) => find(text))
  const waiting = useRef<((all: readonly One[]) => void) | null>(null)
  useEffect(() => {
    waiting.current = null
    if (typed === null) return undefined
    let isHere = true
    const timer = setTimeout(
      () => {
        ask(typed).then(
          (all) => {
            if (!isHere) return
            setFound({ typed, all })
            waiting.current?.(all)
          },
          () => isHere && setFound({ typed, all: null }),
        )
      },
      isFar ? debounceMs : 0,
    )
    return () => {
      isHere = false
      clearTimeout(timer)
    }
  }, [typed, isFar])
  const isKnown = typed !== null && found?.typed === typed
  return {
    offered: typed === null ? null : (found?.all ?? null),
    isKnown,
    isAwaited: () => waiting.current !== null,
    whenKnown: (action: (all: readonly One[]) => void) => void (waiting.current = action),
    hasFailed: isKnown && found.all === null,
  }
}
