import { useLoaderData } from 'react-router'
import { FilterChoice, Filters } from '#base/admin/filters.tsx'
import { FilterPerson } from '#base/admin/filter-person.tsx'
import { List, type Column } from '#base/admin/list.tsx'
import type { SelectedRows } from '#base/admin/selection.ts'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords, type Translate } from '#base/web/words.tsx'
import { statuses } from '#report/contract.ts'
import { CategoryNames, ClaimMark, MemberLink } from '#report/admin/post-view.tsx'
import { DismissForm } from '#report/admin/dismiss-form.tsx'
import { StateFilter } from '#report/admin/state-filter.tsx'
import { ListKeys } from '#report/admin/queue-bar.tsx'
import { reports, usePathOf } from '#report/admin/queue-navigation.ts'
import { caseList, noteReportExport } from '#report/staff-contract.ts'
import type { categoryTree } from '#report/category-contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#report/admin/report.module.css'
import { nameOf } from '#kind/contract.ts'
import { usePostNames, usePostTitle } from '#kind/web/kind.tsx'

type Cases = Output<typeof caseList>
type Case = Cases['rows'][number]
type Tree = Output<typeof categoryTree>['categories']

export function Page() {
  const words = useWords('reportAdmin')
  const { page, categories } = useLoaderData<{ page: Cases; categories: Tree }>()
  const title = usePostTitle()
  const pathOf = usePathOf(reports)
  return (
    <>
      <h1>{words('reports')}</h1>
      <p className="meta">
        {words('reportsWhat')} <ListKeys way={reports} />
      </p>
      <List
        of={caseList}
        exporting={noteReportExport}
        page={page}
        columns={columnsIn(words, pathOf, title)}
        called={({ thing }) => thing.title}
        bulkActions={mayDo('report.decide') ? dismissForm : undefined}
        requiresReading
        filters={<CaseFilters categories={categories} authors={page.rows.map(({ author }) => author)} />}
      />
    </>
  )
}

function dismissForm(chosen: SelectedRows<Case>, done: () => void) {
  return <DismissForm chosen={chosen} onDone={done} />
}

function CaseFilters({ categories, authors }: { categories: Tree; authors: readonly Case['author'][] }) {
  const words = useWords('reportAdmin')
  return (
    <Filters>
      <StateFilter />
      <FilterChoice name="status" label={words('status')} any={words('any')} options={statuses.map((status) => [status, words(status)])} />
      <CategoryChoice categories={categories} />
      <FilterChoice name="kind" label={words('kind')} any={words('any')} options={usePostNames()} />
      <FilterChoice
        name="claimed"
        label={words('claimed')}
        any={words('any')}
        options={[
          ['nobody', words('byNobody')],
          ['mine', words('byMe')],
          ['others', words('byOthers')],
        ]}
      />
      <FilterPerson name="reporter" label={words('reporter')} members={[]} />
      <FilterPerson name="author" label={words('author')} members={authors} />
      <FilterChoice name="deleted" label={words('deleted')} any={words('no')} options={[['true', words('withDeleted')]]} />
    </Filters>
  )
}

function CategoryChoice({ categories }: { categories: Tree }) {
  const words = useWords('reportAdmin')
  const language = useLanguage()
  return (
    <FilterChoice name="categoryId" label={words('category')} any={words('any')}>
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

function columnsIn(words: Translate, pathOf: (caseId: string) => string, title: ReturnType<typeof usePostTitle>): Column<Case>[] {
  return [
    { name: 'opened', label: words('opened'), time: ({ openedAt }) => openedAt },
    {
      name: 'thing',
      label: words('thing'),
      show: ({ id, thing }) => (
        <div className={css.thing}>
          <span className="mark">{title(thing)}</span>{' '}
          <Link to={pathOf(id)} data-line>
            {thing.title || words('erased')}
          </Link>
          <p>{thing.excerpt}</p>
        </div>
      ),
      text: ({ thing }) => `${nameOf(thing)} ${thing.id}: ${thing.excerpt}`,
    },
    { name: 'author', label: words('author'), show: ({ author }) => <MemberLink of={author} />, text: ({ author }) => author.name },
    { name: 'reports', label: words('count'), text: ({ reports }) => String(reports) },
    {
      name: 'categories',
      label: words('category'),
      show: ({ categories }) => <CategoryNames of={categories} />,
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
      text: ({ claim }) => claim?.account,
    },
  ]
}
