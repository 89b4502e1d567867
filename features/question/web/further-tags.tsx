import { useState } from 'react'
import { useForm } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import { useNameOf, type Tags } from '#tag/web/tag.tsx'
import css from '#question/web/question.module.css'

type FurtherTagsProps = { tags: Tags; most: number; first?: readonly string[] | undefined; chosen?: string | undefined }

/** The tags of a question beside the one it lies in: as many as the site says, each a tick. */
export function FurtherTags({ tags, most, first = [], chosen }: FurtherTagsProps) {
  const words = useWords('question')
  const nameOf = useNameOf()
  const { errors } = useForm()
  const wrong = errors['tagIds']
  const ends = tags.flatMap((tag) => (tag.children.length > 0 ? tag.children : [tag])).filter(({ id }) => id !== chosen)
  const [ticked, setTicked] = useState<readonly string[]>(first.filter((id) => ends.some((end) => end.id === id)))
  if (most < 2) return null
  return (
    <fieldset className={`field ${css.further}`} aria-invalid={wrong ? true : undefined} aria-describedby="tagIds-help">
      <legend>{words('furtherTags')}</legend>
      <div className={css.ticks}>
        {ends.map(({ id, name }) => {
          const isTicked = ticked.includes(id)
          return (
            <label key={id}>
              <input
                type="checkbox"
                name="tagIds"
                value={id}
                checked={isTicked}
                disabled={!isTicked && ticked.length >= most - 1}
                onChange={() => setTicked(isTicked ? ticked.filter((one) => one !== id) : [...ticked, id])}
              />
              <bdi>{nameOf(name)}</bdi>
            </label>
          )
        })}
      </div>
      <p id="tagIds-help" className={wrong ? 'wrong' : 'help'} role={wrong ? 'alert' : undefined}>
        {wrong ?? words('furtherTagsHelp', { most: most - 1 })}
      </p>
    </fieldset>
  )
}
