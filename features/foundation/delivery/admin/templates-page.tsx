import { useLoaderData } from 'react-router'
import { ShortListTools } from '#base/admin/short-list-tools.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import type { templateList } from '#delivery/template-contract.ts'

type Template = Output<typeof templateList>['templates'][number]

export function Page() {
  const words = useWords('deliveryAdmin')
  const { templates } = useLoaderData<Output<typeof templateList>>()
  const nameOf = ({ name }: Template) => words(`${name}Template`)
  const changedIn = ({ changed }: Template) => changed.map((language) => words(`${language}Language`)).join(', ')
  return (
    <>
      <h1>{words('templates')}</h1>
      <p className="meta">{words('templatesWhat')}</p>
      <ShortListTools
        items={templates.map((template) => ({ ...template, id: template.name }))}
        columns={[
          { label: words('template'), text: nameOf },
          { label: words('changedIn'), text: changedIn },
        ]}
      >
        {(visible) => (
          <table className="list">
            <thead>
              <tr>
                <th>{words('template')}</th>
                <th>{words('changedIn')}</th>
              </tr>
            </thead>
            <tbody>
              {visible.map((template) => (
                <tr key={template.name}>
                  <td>
                    <Link to={`/admin/delivery/template/edit?template=${template.name}`}>{nameOf(template)}</Link>
                  </td>
                  <td data-label={words('changedIn')}>{changedIn(template) || words('none')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </ShortListTools>
    </>
  )
}
