import { useLoaderData } from 'react-router'
import { LogLink } from '#audit/admin/audit.tsx'
import { AddOrEdit, EditMenu, Manage, NameFields, SortField, type EditFormProps } from '#base/admin/manage.tsx'
import { nameColumn } from '#base/admin/filter-tree.ts'
import { ParentField, Tree } from '#base/admin/tree.tsx'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Field } from '#base/web/form.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { addCategory, editCategory, type categoryTree, type removeCategory } from '#report/category-contract.ts'
import css from '#report/admin/report.module.css'

type Category = Output<typeof categoryTree>['categories'][number]

export function Page() {
  const words = useWords('reportAdmin')
  const language = useLanguage()
  const { categories } = useLoaderData<Output<typeof categoryTree>>()
  return (
    <Manage<Category>
      title={words('categories')}
      summary={words('categoriesWhat')}
      addLabel={words('addCategory')}
      items={categories}
      labelOf={({ name }) => name[language]}
      columns={[nameColumn(words('category')), { label: words('count'), text: ({ reports }) => String(reports) }]}
      form={CategoryForm}
    >
      {(visible, edit) => (
        <Tree items={visible} className={css.tree}>
          {(category) => <Line category={category} edit={() => edit(category)} />}
        </Tree>
      )}
    </Manage>
  )
}

function Line({ category, edit }: { category: Category; edit: () => void }) {
  const words = useWords('reportAdmin')
  const language = useLanguage()
  const remove = useAction<typeof removeCategory>('/admin/reportCategory/remove')
  const name = category.name[language]

  return (
    <div className={css.category}>
      <span>
        <bdi>{name}</bdi> <span className="meta">{category.name[language === 'zh' ? 'en' : 'zh']}</span>
      </span>
      {category.needsReason && <span className="mark">{words('needsText')}</span>}
      {category.parentId && <span className="meta">{words('used', { count: category.reports })}</span>}
      <EditMenu
        name={name}
        edit={edit}
        confirmation={words('removeCategoryAsk', { name })}
        remove={() => remove.run({ categoryId: category.id })}
      >
        <LogLink about={`reportCategory ${category.id}`} />
      </EditMenu>
    </div>
  )
}

function CategoryForm({ item: category, onDone }: EditFormProps<Category>) {
  const words = useWords('reportAdmin')
  const { categories } = useLoaderData<Output<typeof categoryTree>>()
  return (
    <AddOrEdit
      addEndpoint={addCategory}
      editEndpoint={editCategory}
      editedId={category && { categoryId: category.id, version: category.version }}
      onDone={onDone}
    >
      <NameFields name={category?.name} maxLength={60} />
      <ParentField label={words('group')} none={words('isGroup')} items={categories} item={category} />
      <Field
        name="needsReason"
        type="checkbox"
        label={words('needsText')}
        help={words('needsTextHelp')}
        defaultChecked={category?.needsReason}
      />
      <SortField sort={category?.sort} />
    </AddOrEdit>
  )
}
