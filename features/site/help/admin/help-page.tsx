import { useLoaderData } from 'react-router'
import { LogLink } from '#audit/admin/audit.tsx'
import { AddOrEdit, EditMenu, Manage, NameFields, SortField, type EditFormProps } from '#base/admin/manage.tsx'
import { nameColumn } from '#base/admin/filter-tree.ts'
import { ParentField, Tree } from '#base/admin/tree.tsx'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { addHelpCategory, editHelpCategory, type helpList, type removeHelp, type removeHelpCategory } from '#help/staff-contract.ts'
import css from '#help/admin/help.module.css'

type Category = Output<typeof helpList>['categories'][number]

export function Page() {
  const words = useWords('helpAdmin')
  const { categories } = useLoaderData<Output<typeof helpList>>()
  const language = useLanguage()
  return (
    <Manage<Category>
      title={words('help')}
      summary={words('helpWhat')}
      addLabel={words('addCategory')}
      items={categories}
      labelOf={({ name }) => name[language]}
      columns={[
        nameColumn(words('category')),
        { label: words('pages'), text: ({ pages }) => pages.map(({ title }) => `${title.zh} / ${title.en}`).join('; ') },
      ]}
      form={CategoryForm}
      emptyText={words('none')}
    >
      {(visible, edit) => (
        <Tree items={visible} className={css.tree}>
          {(category) => <CategoryLine category={category} edit={() => edit(category)} />}
        </Tree>
      )}
    </Manage>
  )
}

function CategoryLine({ category, edit }: { category: Category; edit: () => void }) {
  const words = useWords('helpAdmin')
  const language = useLanguage()
  const remove = useAction<typeof removeHelpCategory>('/admin/helpCategory/remove')
  const name = category.name[language]

  return (
    <>
      <div className={css.line}>
        <strong>{name}</strong>
        <Link to={`/admin/help/edit?categoryId=${category.id}`}>{words('addPage')}</Link>
        <EditMenu
          name={name}
          edit={edit}
          confirmation={words('removeAsk', { name })}
          remove={() => remove.run({ categoryId: category.id })}
        >
          <LogLink about={`helpCategory ${category.id}`} />
        </EditMenu>
      </div>
      <ul>
        {category.pages.map((page) => (
          <li key={page.id}>
            <PageLine page={page} />
          </li>
        ))}
      </ul>
    </>
  )
}

function PageLine({ page }: { page: Category['pages'][number] }) {
  const words = useWords('helpAdmin')
  const language = useLanguage()
  const remove = useAction<typeof removeHelp>('/admin/help/remove')
  const name = page.title[language]

  return (
    <div className={css.line}>
      <Link to={`/admin/help/edit?pageId=${page.id}`}>{name}</Link>
      {!page.isVisible && <span className="mark">{words('hidden')}</span>}
      <EditMenu
        name={name}
        edit={`/admin/help/edit?pageId=${page.id}`}
        confirmation={words('removeAsk', { name })}
        remove={() => remove.run({ pageId: page.id })}
      >
        <LogLink about={`help ${page.id}`} />
      </EditMenu>
    </div>
  )
}

function CategoryForm({ item: category, onDone }: EditFormProps<Category>) {
  const words = useWords('helpAdmin')
  const { categories } = useLoaderData<Output<typeof helpList>>()
  return (
    <AddOrEdit
      addEndpoint={addHelpCategory}
      editEndpoint={editHelpCategory}
      editedId={category && { categoryId: category.id, version: category.version }}
      onDone={onDone}
    >
      <NameFields name={category?.name} maxLength={60} />
      <ParentField label={words('within')} none={words('withinNone')} items={categories} item={category} />
      <SortField sort={category?.sort} />
    </AddOrEdit>
  )
}
