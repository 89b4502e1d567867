import { useLoaderData } from 'react-router'
import { LogLink } from '#audit/admin/audit.tsx'
import { AddOrEdit, EditMenu, Manage, NameFields, SortField, type EditFormProps } from '#base/admin/manage.tsx'
import { nameColumn } from '#base/admin/filter-tree.ts'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { SelectField, Field } from '#base/web/form.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { addCategory, editCategory, type categoryTree, type removeCategory } from '#report/category-contract.ts'
import css from '#report/admin/report.module.css'

type Tree = Output<typeof categoryTree>['categories']
type Category = Tree[number]

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
        <ul className={css.tree}>
          {visible
            .filter(({ parentId }) => parentId === null)
            .map((group) => (
              <li key={group.id}>
                <Line category={group} edit={() => edit(group)} />
                <ul>
                  {visible
                    .filter(({ parentId }) => parentId === group.id)
                    .map((category) => (
                      <li key={category.id}>
                        <Line category={category} edit={() => edit(category)} />
                      </li>
                    ))}
                </ul>
              </li>
            ))}
        </ul>
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
  const language = useLanguage()
  const { categories } = useLoaderData<Output<typeof categoryTree>>()
  return (
    <AddOrEdit
      addEndpoint={addCategory}
      editEndpoint={editCategory}
      editedId={category && { categoryId: category.id, version: category.version }}
      onDone={onDone}
    >
      <NameFields name={category?.name} maxLength={60} />
      <SelectField name="parentId" label={words('group')} defaultValue={category?.parentId ?? ''}>
        <option value="">{words('isGroup')}</option>
        {categories
          .filter(({ id, parentId }) => parentId === null && id !== category?.id)
          .map(({ id, name }) => (
            <option key={id} value={id}>
              {name[language]}
            </option>
          ))}
      </SelectField>
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
