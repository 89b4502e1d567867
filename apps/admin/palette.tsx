import { useEffect, useId, useState, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import { useBothLanguages } from '#apps/admin/all-words.ts'
import { findScreens } from '#apps/admin/find-screens.ts'
import { screens } from '#apps/admin/screens.ts'
import type { FinderResult } from '#base/admin/screen.ts'
import { normalizeNumber } from '#base/typed-number.ts'
import { useApi } from '#base/web/api.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { createStore } from '#base/web/store.ts'
import { useTranslate, useWords } from '#base/web/words.tsx'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#apps/admin/palette.module.css'

export const paletteIsOpen = createStore(false)

const debounceMs = 150
const finders = screens.flatMap(({ finder = [] }) => finder)

/** The command palette (Ctrl+K): finds screens, and things of features by name. */
export function Palette() {
  const words = useWords('admin')
  const isOpen = paletteIsOpen.use()
  useEffect(() => {
    function press(event: globalThis.KeyboardEvent): void {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      paletteIsOpen.set(!paletteIsOpen.get())
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return (
    <Dialog title={words('findTitle')} isBelowHeader isOpen={isOpen} close={() => paletteIsOpen.set(false)}>
      <PaletteDialog />
    </Dialog>
  )
}

function PaletteDialog() {
  const words = useWords('admin')
  const go = useNavigate()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const parts = useResults(normalizeNumber(typed.trim()))
  const all = parts.flatMap(({ found }) => found)
  const chosen = all[Math.min(at, all.length - 1)]

  function open({ to }: FinderResult): void {
    paletteIsOpen.set(false)
    void go(to)
  }

  function press(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || all.length === 0) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setAt((Math.min(at, all.length - 1) + step + all.length) % all.length)
    else if (event.key === 'Enter' && chosen) open(chosen)
    else return
    event.preventDefault()
  }

  return (
    <>
      <input
        type="search"
        role="combobox"
        aria-label={words('findTitle')}
        aria-expanded={chosen !== undefined}
        aria-controls={id}
        aria-activedescendant={chosen && optionId(id, chosen)}
        autoComplete="off"
        data-first
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setAt(0)
        }}
        onKeyDown={press}
      />
      <Results id={id} parts={parts} chosen={chosen} />
    </>
  )
}

type ResultsProps = { id: string; parts: readonly ResultGroup[]; chosen: FinderResult | undefined }

function Results({ id, parts, chosen }: ResultsProps) {
  const words = useWords('admin')
  return (
    <>
      <div id={id} role="listbox" aria-label={words('findTitle')} className={css.found}>
        {parts.map(({ title, found }) => (
          <div key={title} role="group" aria-label={title}>
            <p aria-hidden="true">{title}</p>
            {found.map((one) => (
              <a
                key={one.to}
                id={optionId(id, one)}
                href={one.to}
                role="option"
                aria-selected={one === chosen}
                tabIndex={-1}
                onClick={() => paletteIsOpen.set(false)}
              >
                <bdi>{one.name}</bdi> {one.hint && <span>{one.hint}</span>}
              </a>
            ))}
          </div>
        ))}
      </div>
      {parts.length === 0 && (
        <p role="status" className="meta">
          {words('nothingFound')}
        </p>
      )}
    </>
  )
}

// An id may not contain spaces.
function optionId(id: string, { to }: FinderResult): string {
  return `${id}-${encodeURIComponent(to)}`
}

type ResultGroup = { title: string; found: FinderResult[] }

function useResults(typed: string): ResultGroup[] {
  const say = useTranslate()
  const says = useBothLanguages()
  const api = useApi()
  const [others, setOthers] = useState<{ typed: string; parts: ResultGroup[] }>({ typed: '', parts: [] })
  useEffect(() => {
    if (!typed) return undefined
    const left = new AbortController()
    async function ask(): Promise<void> {
      const mine = finders.filter(({ right }) => mayDo(right))
      const parts = await Promise.all(mine.map(async ({ title, find }) => ({ title: say(title), found: await find(typed, api, says) })))
      if (!left.signal.aborted) setOthers({ typed, parts })
    }
    const timer = setTimeout(() => void ask().catch((error: unknown) => console.info('Not everything could be found', error)), debounceMs)
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [api, say, says, typed])
  const near = findScreens(typed, says)
    .filter(({ right }) => mayDo(right))
    .map(({ path, title, initialQuery = '' }) => ({ name: say(title), to: path + initialQuery }))
  const parts = [{ title: say('admin.screens'), found: near }, ...(others.typed === typed ? others.parts : [])]
  return parts.filter(({ found }) => found.length > 0)
}
