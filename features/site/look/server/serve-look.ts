import type { FastifyInstance, FastifyReply } from 'fastify'
import { Missing } from '#base/contract.ts'
import { iconForms, iconSizes, iconSrc, logoSrc, maskableSize, type BrandPicture } from '#base/branding.ts'
import { mainColours, defaultColour } from '#base/main-colour.ts'
import type { Db } from '#base/server/database/database.ts'
import * as file from '#file/server/file.ts'
import * as setting from '#setting/server/setting.ts'

const immutable = { 'cache-control': 'public, max-age=31536000, immutable' }
const sandboxed = { 'content-security-policy': "sandbox; default-src 'none'" }

/** Serves the logo and the icons, at the URLs in pages and at well-known paths. Also on a closed site. */
export function lookRoutes(app: FastifyInstance, db: Db): void {
  // Immutable: a new picture has a new URL.
  app.get('/look/:name', async (request, reply) => {
    const { logo, logoDark, icon } = await setting.all(db)
    for (const picture of [logo, logoDark])
      if (picture && request.url === logoSrc(picture))
        return send(reply.headers(immutable), 'image/webp', (await file.pictureBytes(db, picture.file))?.bytes ?? null)
    for (const form of icon ? iconForms : [])
      if (icon && request.url === iconSrc(icon, form))
        return send(reply.headers(immutable), 'image/png', await file.iconBytes(db, icon.file, form))
    throw Missing()
  })

  // The URL never changes, so it is revalidated.
  app.get('/favicon.ico', async (request, reply) => {
    const { icon } = await setting.all(db)
    void reply.header('cache-control', 'no-cache')
    if (!icon) return reply.redirect('/touch-icon.png')
    const etag = `"${icon.file}"`
    void reply.header('etag', etag)
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
    return send(reply, 'image/png', await file.iconBytes(db, icon.file, 32))
  })

  app.get('/site.webmanifest', async (_, reply) => {
    const { title, mainColour, icon } = await setting.all(db)
    return reply
      .header('cache-control', 'public, max-age=3600')
      .type('application/manifest+json; charset=utf-8')
      .send({
        ...manifest,
        name: title,
        short_name: title,
        theme_color: mainColours(mainColour)?.tea.light ?? defaultColour,
        icons: iconsOf(icon),
      })
  })
}

// iOS needs `standalone` for push; other browsers use `minimal-ui`, which has a back button.
const manifest = {
  id: '/',
  scope: '/',
  start_url: '/index',
  display: 'standalone',
  display_override: ['minimal-ui'],
  background_color: '#fbfaf7',
}

function iconsOf(icon: BrandPicture | null) {
  const square = (src: string, side: number) => ({ src, sizes: `${side}x${side}`, type: 'image/png' })
  if (icon) {
    const plain = iconSizes.map((side) => square(iconSrc(icon, side), side))
    return [...plain, { ...square(iconSrc(icon, 'maskable'), maskableSize), purpose: 'maskable' }]
  }
  return [
    square('/icon-192.png', 192),
    square('/icon-512.png', 512),
    { ...square('/icon-maskable.png', maskableSize), purpose: 'maskable' },
    { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
  ]
}

function send(reply: FastifyReply, type: string, bytes: Buffer | null): FastifyReply {
  if (!bytes) throw Missing()
  return reply.headers(sandboxed).type(type).send(bytes)
}
