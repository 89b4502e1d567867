import { useWords } from '#base/web/words.tsx'
import type { PlaceView } from '#tag/contract.ts'
import { useNameOf } from '#tag/web/tag.tsx'
import css from '#content/admin/content.module.css'

/** States who can read content that moves from one tag to another, if that changes. */
export function AudienceChange({ from, to }: { from: readonly PlaceView[]; to: PlaceView | null }) {
  const words = useWords('contentAdmin')
  const nameOf = useNameOf()
  const others = [...new Map(from.filter(({ id }) => id !== to?.id).map((place) => [place.id, place])).values()]
  const restricted = others.filter(({ isRestricted }) => isRestricted)
  if (!to) return null
  const messages = [
    ...restricted.map((place) => words(to.isRestricted ? 'otherEyes' : 'allEyes', { from: nameOf(place.name), to: nameOf(to.name) })),
    ...(to.isRestricted && others.some(({ isRestricted }) => !isRestricted) ? [words('fewEyes', { to: nameOf(to.name) })] : []),
  ]
  return messages.map((one) => (
    <p key={one} className={css.warning} role="alert">
      {one}
    </p>
  ))
}
