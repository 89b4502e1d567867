import { useLoaderData } from 'react-router'
import { FilterChoice, Filters, FilterText } from '#base/admin/filters.tsx'
import { List, type Column } from '#base/admin/list.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Time } from '#base/web/time.tsx'
import { useLanguage, useWords, type Say } from '#base/web/words.tsx'
import { kinds, statuses } from '#report/contract.ts'
import { Categories, ClaimMark, Person } from '#report/admin/pieces.tsx'
import { ListKeys } from '#report/admin/walk-bar.tsx'
import { reports, usePathOf } from '#report/admin/walk.ts'
import { caseList } from '#report/staff-contract.ts'
import type { categoryTree } from '#report/category-contract.ts'
import css from '#report/admin/report.module.css'

type Cases = Output<typeof caseList>
type Case = Cases['rows'][number]
type Tree = Output<typeof categoryTree>['categories']

export function Page() {
  const words = useWords('reportAdmin')
  const { page, categories } = useLoaderData<{ page: Cases; categories: Tree }>()
  const pathOf = usePathOf(reports)
  return (
    <>
      <h1>{words('reports')}</h1>
      <p className="meta">
        {words('reportsWhat')} <ListKeys way={reports} />
      </p>
      <List of={caseList} page={page} columns={columnsIn(words, pathOf)} filters={<Narrowing categories={categories} />} />
    </>
  )
}

function Narrowing({ categories }: { categories: Tree }) {
  const words = useWords('reportAdmin')
  return (
    <Filters>
      <FilterChoice name="state" label={words('state')}>
        <option value="">{words('open')}</option>
        <option value="decided">{words('decided')}</option>
        <option value="all">{words('all')}</option>
      </FilterChoice>
      <FilterChoice name="status" label={words('status')}>
        <option value="">{words('any')}</option>
        {statuses.map((status) => (
          <option key={status} value={status}>
            {words(status)}
          </option>
        ))}
      </FilterChoice>
      <CategoryChoice categories={categories} />
      <FilterChoice name="kind" label={words('kind')}>
        <option value="">{words('any')}</option>
        {kinds.map((kind) => (
          <option key={kind} value={kind}>
            {words(kind)}
          </option>
        ))}
      </FilterChoice>
      <FilterChoice name="claimed" label={words('claimed')}>
        <option value="">{words('any')}</option>
        <option value="nobody">{words('byNobody')}</option>
        <option value="mine">{words('byMe')}</option>
        <option value="others">{words('byOthers')}</option>
      </FilterChoice>
      <FilterText name="reporter" label={words('reporter')} />
      <FilterText name="author" label={words('author')} />
      <FilterChoice name="deleted" label={words('deleted')}>
        <option value="">{words('no')}</option>
        <option value="true">{words('withDeleted')}</option>
      </FilterChoice>
    </Filters>
  )
}

function CategoryChoice({ categories }: { categories: Tree }) {
  const words = useWords('reportAdmin')
  const language = useLanguage()
  return (
    <FilterChoice name="categoryId" label={words('category')}>
      <option value="">{words('any')}</option>
      {categories
        .filter(({ parentId }) => parentId === null)
        .map((group) => (
          <optgroup key={group.id} label={group.name[language]}>
            {categories
              .filter(({ parentId }) => parentId === group.id)
              .map(({ id, name }) => (
                <option key={id} value={id}>
                  {name[language]}
                </option>
              ))}
          </optgroup>
        ))}
    </FilterChoice>
  )
}

function columnsIn(words: Say, pathOf: (caseId: string) => string): Column<Case>[] {
  return [
    { name: 'opened', label: words('opened'), show: ({ openedAt }) => <Time at={openedAt} />, text: ({ openedAt }) => openedAt },
    {
      name: 'thing',
      label: words('thing'),
      show: ({ id, thing }) => (
        <div className={css.thing}>
          <span className="mark">{words(thing.kind)}</span>{' '}
          <Link to={pathOf(id)} data-line>
            {thing.title}
          </Link>
          <p>{thing.excerpt}</p>
        </div>
      ),
      text: ({ thing }) => `${thing.kind} ${thing.id}: ${thing.excerpt}`,
    },
    { name: 'author', label: words('author'), show: ({ author }) => <Person of={author} />, text: ({ author }) => author.name },
    { name: 'reports', label: words('count'), show: ({ reports }) => reports, text: ({ reports }) => String(reports) },
    {
      name: 'categories',
      label: words('category'),
      show: ({ categories }) => <Categories of={categories} />,
      text: ({ categories }) => categories.map(({ en }) => en).join(', '),
    },
    {
      name: 'status',
      label: words('status'),
      show: ({ statuses: its }) => its.map((status) => words(status)).join(' · '),
      text: ({ statuses: its }) => its.join(', '),
    },
    {
      name: 'claimed',
      label: words('claimed'),
      show: ({ claim }) => <ClaimMark claim={claim} />,
      text: ({ claim }) => claim?.account ?? '',
    },
  ]
}
