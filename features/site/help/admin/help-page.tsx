import { useLoaderData } from 'react-router'
import { LogLink } from '#audit/admin/audit.tsx'
import { AddOrEdit, EditMenu, Manage, NameFields, SortField, type EditFormProps } from '#base/admin/manage.tsx'
import { nameColumn } from '#base/admin/filter-tree.ts'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { SelectField } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { Empty } from '#base/web/states.tsx'
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
    >
      {(visible, edit) => (categories.length === 0 ? <Empty>{words('none')}</Empty> : <Tree categories={visible} edit={edit} />)}
    </Manage>
  )
}

function Tree({ categories, edit }: { categories: readonly Category[]; edit: (category: Category) => void }) {
  const within = (id: string | null) => categories.filter(({ parentId }) => parentId === id)
  return (
    <ul className={css.tree}>
      {within(null).map((group) => (
        <li key={group.id}>
          <CategoryLine category={group} edit={() => edit(group)} />
          <ul>
            {within(group.id).map((category) => (
              <li key={category.id}>
                <CategoryLine category={category} edit={() => edit(category)} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
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
  const language = useLanguage()
  const { categories } = useLoaderData<Output<typeof helpList>>()
  return (
    <AddOrEdit
      addEndpoint={addHelpCategory}
      editEndpoint={editHelpCategory}
      editedId={category && { categoryId: category.id, version: category.version }}
      onDone={onDone}
    >
      <NameFields name={category?.name} maxLength={60} />
      <SelectField name="parentId" label={words('within')} defaultValue={category?.parentId ?? ''}>
        <option value="">{words('withinNone')}</option>
        {categories
          .filter(({ id, parentId }) => parentId === null && id !== category?.id)
          .map(({ id, name }) => (
            <option key={id} value={id}>
              {name[language]}
            </option>
          ))}
      </SelectField>
      <SortField sort={category?.sort} />
    </AddOrEdit>
  )
}
