import { useEffect, useId, useState, type RefObject } from 'react'
import { isComposing } from '#base/web/composing.ts'
import { useNavigate } from 'react-router'
import { Icon } from '#base/web/icon.tsx'
import { useWords } from '#base/web/words.tsx'
import { Marked } from '#search/web/marked.tsx'
import { useSuggestions, type Suggestion } from '#search/web/use-suggestions.ts'
import { useTyping } from '#search/web/typing.ts'
import { Avatar } from '#user/web/user.tsx'
import css from '#search/web/suggestions.module.css'

/** The suggestions below the search field. The focus stays in the field. */
export function Suggestions({ input }: { input: RefObject<HTMLInputElement | null> }) {
  const words = useWords('search')
  const go = useNavigate()
  const id = useId()
  const [choice, setChoice] = useState<{ of: readonly Suggestion[]; at: number }>({ of: [], at: -1 })
  const typing = useTyping(input)
  const options = useSuggestions(typing.isOpen ? typing.text : null)
  const isShown = typing.isOpen && options.length > 0
  const place = choice.of === options ? choice.at : -1
  const setPlace = (at: number) => setChoice({ of: options, at })

  function take(option: Suggestion): void {
    typing.close()
    input.current?.blur()
    void go(option.to)
  }

  useKeys(input, { options: isShown ? options : [], place, setPlace, take, close: typing.close })
  useAriaState(input, isShown ? id : null, isShown && place >= 0 ? `${id}-${place}` : null)
  if (!isShown) return null
  return (
    <div id={id} role="listbox" aria-label={words('suggestions')} className={css.list}>
      {options.map((option, at) => (
        <div
          key={option.key}
          id={`${id}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === place}
          className={css.option}
          onMouseMove={() => setPlace(at)}
          onMouseDown={(event) => {
            event.preventDefault()
            take(option)
          }}
        >
          <Shown option={option} />
        </div>
      ))}
    </div>
  )
}

function Shown({ option }: { option: Suggestion }) {
  const words = useWords('search')
  if (option.kind === 'member')
    return (
      <>
        <Avatar of={option.member} size={24} />
        <span className={css.text}>{option.member.name}</span>
        <span className={css.what}>{words('aMember')}</span>
      </>
    )
  return (
    <>
      <Icon name={option.kind === 'topic' ? 'comment' : 'search'} size={18} />
      <span className={css.text}>{option.kind === 'topic' ? <Marked pieces={option.title} /> : option.text}</span>
      {option.kind !== 'topic' && <span className={css.what}>{words(option.kind === 'tag' ? 'aTag' : 'hotWord')}</span>}
    </>
  )
}

type Keys = {
  options: readonly Suggestion[]
  place: number
  setPlace: (at: number) => void
  take: (option: Suggestion) => void
  close: () => void
}

/** Arrows select, Enter opens the selected item, Escape closes. Keys of an input method are ignored. */
function useKeys(input: RefObject<HTMLInputElement | null>, { options, place, setPlace, take, close }: Keys): void {
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      if (isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return
      const chosen = options[place]
      const { length } = options
      if (length === 0) return
      // Beyond the last and before the first item, nothing is selected.
      if (event.key === 'ArrowDown') setPlace(place + 1 < length ? place + 1 : -1)
      else if (event.key === 'ArrowUp') setPlace(place < 0 ? length - 1 : place - 1)
      else if (event.key === 'Escape') close()
      else if (event.key === 'Enter' && chosen) take(chosen)
      else return
      event.preventDefault()
    }
    const box = input.current
    box?.addEventListener('keydown', press)
    return () => box?.removeEventListener('keydown', press)
  })
}

/** Sets the ARIA attributes for the open list and its selected option. */
function useAriaState(input: RefObject<HTMLInputElement | null>, list: string | null, option: string | null): void {
  useEffect(() => {
    const box = input.current
    if (!box) return
    box.setAttribute('role', 'combobox')
    box.setAttribute('aria-autocomplete', 'list')
    box.setAttribute('aria-haspopup', 'listbox')
    box.setAttribute('aria-expanded', String(list !== null))
    put(box, 'aria-controls', list)
    put(box, 'aria-activedescendant', option)
  }, [input, list, option])
}

function put(box: HTMLElement, name: string, value: string | null): void {
  if (value === null) box.removeAttribute(name)
  else box.setAttribute(name, value)
}
