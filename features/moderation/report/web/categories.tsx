import { useId } from 'react'
import { useForm } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import type { CategoryGroupView } from '#report/contract.ts'
import { useNameOf } from '#tag/web/tag.tsx'
import css from '#report/web/report.module.css'

/** Reasons to report: groups of categories, of which one is chosen. */
export function Categories({ groups, choose }: { groups: readonly CategoryGroupView[]; choose: (id: string) => void }) {
  const words = useWords('report')
  const nameOf = useNameOf()
  const { errors } = useForm()
  const id = useId()
  const wrong = errors['categoryId']
  return (
    <div role="radiogroup" aria-labelledby={id} aria-describedby={`${id}-wrong`} className={css.categories}>
      <p id={id} className={css.what}>
        {words('what')}
      </p>
      {groups.map((group) => (
        <div key={group.id} className={css.group} role="group" aria-labelledby={`${id}-${group.id}`}>
          <p id={`${id}-${group.id}`}>{nameOf(group.name)}</p>
          <div>
            {group.categories.map((category) => (
              <label key={category.id}>
                <input type="radio" name="categoryId" value={category.id} onChange={() => choose(category.id)} />
                <span>{nameOf(category.name)}</span>
              </label>
            ))}
          </div>
        </div>
      ))}
      <p id={`${id}-wrong`} className="wrong" role={wrong ? 'alert' : undefined}>
        {wrong}
      </p>
    </div>
  )
}
