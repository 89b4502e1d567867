import { useState, type FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { maxLengthFor } from '#base/characters.ts'
import { Icon } from '#base/web/icon.tsx'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { aiOptions, searchKinds, timeOptions, type SearchParams } from '#search/web/search-params.ts'
import { useSite } from '#setting/web/setting.tsx'
import { useNameOf, type Tags } from '#tag/web/tag.tsx'
import css from '#search/web/filters.module.css'

/** The filters: a plain form that submits on change. On a phone it is folded. */
export function Filters({ params, tags }: { params: SearchParams; tags: Tags }) {
  const words = useWords('search')
  const go = useNavigate()
  const count = filtersIn(params)
  const look = (form: HTMLFormElement) => void go(`/search?${queryOf(form)}`)
  return (
    <details className={css.fold}>
      <summary>
        <Icon name="down" size={16} />
        {words('filters', { count })}
      </summary>
      <form
        key={JSON.stringify(params)}
        action="/search"
        className={css.form}
        aria-label={words('filters', { count })}
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault()
          look(event.currentTarget)
        }}
        onChange={({ currentTarget, target }) =>
          target instanceof Element && target.matches('select, [type="checkbox"]') && look(currentTarget)
        }
      >
        <input type="hidden" name="keyword" value={params.keyword} />
        {params.sort !== 'best' && <input type="hidden" name="sort" value={params.sort} />}
        <Fields params={params} tags={tags} />
        <p className={css.actions}>
          <button type="submit" className="button quiet">
            {words('apply')}
          </button>
          {count > 0 && (
            <Link to={`/search?${new URLSearchParams({ keyword: params.keyword })}`} className="plain">
              {words('clear')}
            </Link>
          )}
        </p>
      </form>
    </details>
  )
}

function Fields({ params, tags }: { params: SearchParams; tags: Tags }) {
  const words = useWords('search')
  const nameOf = useNameOf()
  return (
    <>
      <label>
        {words('kind')}
        <select name="kind" defaultValue={params.kind}>
          {searchKinds.map((kind) => (
            <option key={kind} value={kind}>
              {words(`${kind}Kind`)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {words('tag')}
        <select name="tagId" defaultValue={params.tagId ?? ''}>
          <option value="">{words('anyTag')}</option>
          {tags.flatMap((tag) => [
            <option key={tag.id} value={tag.id}>
              {nameOf(tag.name)}
            </option>,
            ...tag.children.map((child) => (
              <option key={child.id} value={child.id}>
                {`\u2003${nameOf(child.name)}`}
              </option>
            )),
          ])}
        </select>
      </label>
      <label>
        {words('author')}
        <input
          name="author"
          defaultValue={params.author ?? ''}
          maxLength={maxLengthFor(30)}
          autoComplete="off"
          placeholder={words('anybody')}
        />
      </label>
      <Times params={params} />
      <AiChoice params={params} />
      <label className={css.check}>
        <input type="checkbox" name="pictures" value="true" defaultChecked={params.pictures} />
        {words('pictures')}
      </label>
    </>
  )
}

function AiChoice({ params }: { params: SearchParams }) {
  const words = useWords('search')
  const { aiLabels } = useSite()
  if (aiLabels === 'off') return null
  return (
    <label>
      {words('ai')}
      <select name="ai" defaultValue={params.ai ?? ''}>
        <option value="">{words('anyAi')}</option>
        {aiOptions.map((one) => (
          <option key={one} value={one}>
            {words(one === 'only' ? 'onlyAi' : 'withoutAi')}
          </option>
        ))}
      </select>
    </label>
  )
}

function Times({ params }: { params: SearchParams }) {
  const words = useWords('search')
  const [isBetween, setBetween] = useState(Boolean(params.from ?? params.until))
  return (
    <>
      <label>
        {words('time')}
        <select
          name="within"
          defaultValue={isBetween ? 'between' : (params.within ?? '')}
          onChange={(event) => {
            setBetween(event.target.value === 'between')
            // The dates are still missing.
            if (event.target.value === 'between') event.stopPropagation()
          }}
        >
          <option value="">{words('anyTime')}</option>
          {[...timeOptions, 'between'].map((time) => (
            <option key={time} value={time}>
              {words(`${time}Time`)}
            </option>
          ))}
        </select>
      </label>
      {isBetween && (
        <p className={css.dates}>
          <input type="date" name="from" defaultValue={params.from} aria-label={words('from')} />
          <input type="date" name="until" defaultValue={params.until} aria-label={words('until')} />
        </p>
      )}
    </>
  )
}

function filtersIn({ kind, tagId, author, within, from, until, pictures, ai }: SearchParams): number {
  return [kind !== 'all', tagId, author, within ?? from ?? until, pictures, ai].filter(Boolean).length
}

/** Only non-empty fields appear in the address. */
function queryOf(form: HTMLFormElement): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of new FormData(form)) {
    const isUsual = value === '' || (name === 'kind' && value === 'all') || (name === 'within' && value === 'between')
    if (typeof value === 'string' && !isUsual) query.set(name, value)
  }
  return query
}
