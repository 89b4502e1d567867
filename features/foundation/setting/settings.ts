import { z } from 'zod'
import type { BrandPicture } from '#base/branding.ts'
import { siteStates } from '#base/contract.ts'
import { isMainColour } from '#base/main-colour.ts'
import { plainString } from '#base/plain-text.ts'
import { isTimeZone } from '#base/time-zone.ts'
import type { SettingDeclarations } from '#base/setting.ts'

const title = plainString.min(1).max(200)

const picture = z.object({ file: z.string(), width: z.int(), height: z.int() }).nullable()
const noPicture = null as BrandPicture | null

/** The site as a whole. */
export const settings = {
  title: {
    group: 'site',
    schema: title,
    default: '茶馆 Teahouse',
    aliases: 'site name forum name brand logo 网站名称 论坛名称 站名 网站标题',
  },
  description: {
    group: 'site',
    schema: plainString.max(200),
    default: '一间安静的社区茶馆。A quiet place to write and read.',
    aliases: 'meta seo tagline slogan 网站描述 标语',
  },
  keywords: { group: 'site', schema: plainString.max(200), default: '论坛, 问答, forum, questions', aliases: 'meta seo' },
  /** Replaces the default green, as #rrggbb; darkened or lightened where contrast is too low. Empty: green. */
  mainColour: {
    group: 'site',
    schema: z.string().refine(isMainColour, { params: { code: 'setting.noColour' } }),
    default: '',
    aliases: 'theme color brand accent palette skin style 主题色 品牌色 配色 皮肤 颜色',
  },
  /** Logos, in place of the name or beside it, for light and dark backgrounds; and the icon of tabs and home screens. */
  logo: { group: 'site', schema: picture, default: noPicture, aliases: 'brand branding header image 徽标 标志 商标 网站图标' },
  logoDark: { group: 'site', schema: picture, default: noPicture },
  icon: { group: 'site', schema: picture, default: noPicture, aliases: 'favicon touch icon apple icon 网站图标 站点图标 标签页图标' },
  /** Read-only refuses writes of members; closed shows them the text below and nothing else. Staff keep working in the administration. */
  siteState: {
    group: 'site',
    schema: z.enum(siteStates),
    default: 'open',
    guarded: true,
    aliases: 'close shut down maintenance mode offline lock 关站 关闭站点 关闭网站 闭站 维护 维护模式 停站',
  },
  closedTextZh: {
    group: 'site',
    schema: plainString.max(2000),
    default: '茶馆正在整理，很快回来。',
    aliases: 'maintenance message 关站 关站原因 关闭原因 维护公告',
  },
  closedTextEn: {
    group: 'site',
    schema: plainString.max(2000),
    default: 'The forum is being tidied up, and will be back soon.',
    aliases: 'maintenance message 关站 关站原因 关闭原因 维护公告',
  },
  /** Languages on offer. Where the default is not among them, the first one is the default. */
  languages: {
    group: 'site',
    schema: z
      .array(z.enum(['zh_CN', 'en_US']))
      .min(1)
      .max(2),
    default: ['zh_CN', 'en_US'],
    aliases: 'locale translation i18n 多语言 翻译',
  },
  /** Empty: the language of the browser. */
  defaultLanguage: { group: 'site', schema: z.enum(['zh_CN', 'en_US', '']), default: 'zh_CN', aliases: 'locale 语言 多语言' },
  /** The time zone of calendar days: in statistics, the hour of backups, and daily limits. */
  timeZone: {
    group: 'site',
    schema: z.string().refine(isTimeZone, { params: { code: 'setting.noTimeZone' } }),
    default: 'Asia/Shanghai',
    aliases: 'timezone clock midnight utc gmt 时差 北京时间 本地时间',
  },
  /** 1: all devices, 2: desktops, 3: phones. */
  supportAccessDevice: {
    group: 'site',
    schema: z.int().min(1).max(3),
    default: 1,
    guarded: true,
    aliases: 'mobile phone desktop 手机版 移动端',
  },
  /** Licence numbers that the law requires in the footer of every page in China. Empty: not shown. */
  icpNumber: { group: 'site', schema: plainString.max(60), default: '', aliases: 'footer beian filing 页脚 底部 备案 工信部' },
  policeNumber: { group: 'site', schema: plainString.max(60), default: '', aliases: 'footer beian filing 页脚 底部 备案 公安 网安' },
  licence: {
    group: 'site',
    schema: plainString.max(120),
    default: '',
    aliases: 'footer license permit 页脚 底部 许可证 经营许可 ICP证 增值电信 EDI',
  },
  /** The key by which search engines of IndexNow verify that the site itself submits its topics. Empty: nothing is submitted. */
  indexNowKey: {
    group: 'programs',
    schema: z.string().regex(/^([A-Za-z0-9-]{8,128})?$/),
    default: '',
    guarded: true,
    writeOnly: true,
    aliases: 'seo bing ping',
  },
  /** Baidu's token for submitting new topics. */
  baiduToken: { group: 'programs', schema: z.string().regex(/^[A-Za-z0-9]{0,64}$/), default: '', sealed: true, aliases: 'seo 收录 推送' },
} as const satisfies SettingDeclarations
