import { useEffect, useEffectEvent, useId, useRef, useState, type ChangeEvent, type KeyboardEvent } from 'react'
import { isComposing } from '#base/web/composing.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#base/admin/one-of.module.css'

export type Option = {
  id: string
  name: string
  hint?: string
  /** Shown as the parent of other options, but not selectable. */
  isOff?: boolean
  isBelow?: boolean
}

/** The options that match a text, synchronously if all are loaded. */
export type Find<One extends Option> = (typed: string) => readonly One[] | Promise<readonly One[]>

type OneOfProps<One extends Option> = {
  name: string
  find: Find<One>
  /** The initial selection. */
  first?: One | undefined
  placeholder: string
  choose?: ((one: One | null) => void) | undefined
  control?: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }
  isFirst?: boolean | undefined
  /** Options come from the server, after a pause in typing. */
  isFar?: boolean
}

const pauseMs = 150

/** A combobox: arrow keys move through the options, Enter selects, Escape restores the selection, an empty field clears it. */
export function OneOf<One extends Option>(props: OneOfProps<One>) {
  const { name, placeholder, control, isFirst } = props
  const words = useWords('admin')
  const listId = useId()
  const { isOpen, shown, chosen, offered, hasFailed, near, take, ...does } = useOneOf(props)
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
      {isOpen && offered && <Offered id={listId} label={placeholder} offered={offered} near={near} take={take} />}
      {isOpen && !hasFailed && offered?.length === 0 && <p className="meta">{words('nothingFound')}</p>}
      {hasFailed && <p className="wrong">{words('notFound')}</p>}
    </div>
  )
}

function useOneOf<One extends Option>({ find, first, choose, isFar = false }: OneOfProps<One>) {
  const [chosen, setChosen] = useState<One | null>(first ?? null)
  const { isOpen, typed, at, setAt, open, type, close } = useTyped()
  const { offered, isKnown, isAwaited, whenKnown, hasFailed } = useOffered(find, isOpen ? (typed ?? '') : null, isFar)
  const able = offered?.filter(({ isOff }) => !isOff) ?? []
  // The current options may belong to an earlier text.
  const near = typed && !isKnown ? undefined : able[Math.min(at, able.length - 1)]

  function take(one: One | null): void {
    setChosen(one)
    close()
    choose?.(one)
  }

  function takeNearest(all: readonly One[]): void {
    const nearest = all.find(({ isOff }) => !isOff)
    if (nearest) take(nearest)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event.nativeEvent)) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && !isOpen) open()
    else if (step && near) setAt((Math.min(at, able.length - 1) + step + able.length) % able.length)
    else if (event.key === 'Enter' && isOpen && near) take(near)
    // No option matches yet, or at all: the previous selection is not meant.
    else if (event.key === 'Enter' && typed) whenKnown(takeNearest)
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
function useTyped() {
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

type OfferedProps<One> = { id: string; label: string; offered: readonly One[]; near: One | undefined; take: (one: One) => void }

function Offered<One extends Option>({ id, label, offered, near, take }: OfferedProps<One>) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [near])
  if (offered.length === 0) return null
  return (
    <div ref={list} id={id} role="listbox" aria-label={label} className={css.offered}>
      {offered.map((one) => (
        <button
          key={one.id}
          id={`${id} ${one.id}`}
          type="button"
          role="option"
          tabIndex={-1}
          disabled={one.isOff}
          aria-selected={one === near}
          data-below={one.isBelow || undefined}
          // Keeps the focus in the field, and so the list open.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => take(one)}
        >
          <bdi>{one.name}</bdi> {one.hint && <span>{one.hint}</span>}
        </button>
      ))}
    </div>
  )
}

/** The options for the typed text; the previous ones until they arrive, null before the first. */
function useOffered<One extends Option>(find: Find<One>, typed: string | null, isFar: boolean) {
  const [found, setFound] = useState<{ typed: string; all: readonly One[] | null } | null>(null)
  const ask = useEffectEvent(async (wanted: string) => find(wanted))
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
      isFar ? pauseMs : 0,
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
    whenKnown: (deed: (all: readonly One[]) => void) => void (waiting.current = deed),
    hasFailed: isKnown && found.all === null,
  }
}
