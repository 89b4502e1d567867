import { useLoaderData } from 'react-router'
import { FilterChoice } from '#base/admin/filters.tsx'
import { StaffList, type CellsOf } from '#base/admin/staff-list.tsx'
import type { SelectedRows } from '#base/admin/selection.ts'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords, type Translate } from '#base/web/words.tsx'
import { CategoryNames, ClaimMark, MemberLink } from '#report/admin/post-view.tsx'
import { DismissForm } from '#report/admin/dismiss-form.tsx'
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
      <StaffList
        of={caseList}
        page={page}
        cells={caseCells(words, pathOf, title)}
        filterFields={useCaseFields(categories)}
        people={page.rows.map(({ author }) => author)}
        exporting={noteReportExport}
        called={({ thing }) => thing.title}
        bulkActions={mayDo('report.decide') ? dismissForm : undefined}
        requiresReading
      />
    </>
  )
}

function dismissForm(chosen: SelectedRows<Case>, done: () => void) {
  return <DismissForm chosen={chosen} onDone={done} />
}

function useCaseFields(categories: Tree) {
  const words = useWords('reportAdmin')
  return {
    categoryId: <CategoryChoice categories={categories} />,
    kind: <FilterChoice name="kind" label={words('kind')} options={usePostNames()} />,
    deleted: <FilterChoice name="deleted" label={words('deleted')} any={words('no')} options={[['true', words('withDeleted')]]} />,
  }
}

function CategoryChoice({ categories }: { categories: Tree }) {
  const words = useWords('reportAdmin')
  const language = useLanguage()
  return (
    <FilterChoice name="categoryId" label={words('category')}>
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

function caseCells(words: Translate, pathOf: (caseId: string) => string, title: ReturnType<typeof usePostTitle>): CellsOf<typeof caseList> {
  return {
    thing: {
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
    author: { show: ({ author }) => <MemberLink of={author} />, text: ({ author }) => author.name },
    categories: {
      show: ({ categories }) => <CategoryNames of={categories} />,
      text: ({ categories }) => categories.map(({ en }) => en).join(', '),
    },
    statuses: {
      show: ({ statuses }) => statuses.map((status) => words(status)).join(' · '),
      text: ({ statuses }) => statuses.join(', '),
    },
    claim: { show: ({ claim }) => <ClaimMark claim={claim} />, text: ({ claim }) => claim?.account },
  }
}
