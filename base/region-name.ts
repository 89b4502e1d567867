/** The provinces of China by ISO 3166-2 code, in alphabetical order. */
export const provinces: Record<string, { zh: string; en: string }> = {
  AH: { zh: '安徽', en: 'Anhui' },
  BJ: { zh: '北京', en: 'Beijing' },
  CQ: { zh: '重庆', en: 'Chongqing' },
  FJ: { zh: '福建', en: 'Fujian' },
  GD: { zh: '广东', en: 'Guangdong' },
  GS: { zh: '甘肃', en: 'Gansu' },
  GX: { zh: '广西', en: 'Guangxi' },
  GZ: { zh: '贵州', en: 'Guizhou' },
  HA: { zh: '河南', en: 'Henan' },
  HB: { zh: '湖北', en: 'Hubei' },
  HE: { zh: '河北', en: 'Hebei' },
  HI: { zh: '海南', en: 'Hainan' },
  HL: { zh: '黑龙江', en: 'Heilongjiang' },
  HN: { zh: '湖南', en: 'Hunan' },
  JL: { zh: '吉林', en: 'Jilin' },
  JS: { zh: '江苏', en: 'Jiangsu' },
  JX: { zh: '江西', en: 'Jiangxi' },
  LN: { zh: '辽宁', en: 'Liaoning' },
  NM: { zh: '内蒙古', en: 'Inner Mongolia' },
  NX: { zh: '宁夏', en: 'Ningxia' },
  QH: { zh: '青海', en: 'Qinghai' },
  SC: { zh: '四川', en: 'Sichuan' },
  SD: { zh: '山东', en: 'Shandong' },
  SH: { zh: '上海', en: 'Shanghai' },
  SN: { zh: '陕西', en: 'Shaanxi' },
  SX: { zh: '山西', en: 'Shanxi' },
  TJ: { zh: '天津', en: 'Tianjin' },
  XJ: { zh: '新疆', en: 'Xinjiang' },
  XZ: { zh: '西藏', en: 'Tibet' },
  YN: { zh: '云南', en: 'Yunnan' },
  ZJ: { zh: '浙江', en: 'Zhejiang' },
}

/** The display name of a region's code. */
export function regionName(code: string, language: 'zh' | 'en'): string {
  const province = code.startsWith('CN-') ? provinces[code.slice(3)] : undefined
  return province?.[language] ?? new Intl.DisplayNames(language, { type: 'region', style: 'short' }).of(code) ?? code
}

/** The codes of all countries that have a name. */
export function countries(): string[] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  return codes.filter((code) => names.of(code) !== undefined && !reservedCodes.has(code) && isCurrentCountry(code))
}

// Codes for unknown or private use.
const reservedCodes = new Set(['XA', 'XB', 'ZZ'])

// Former countries have codes too, with the names of their successors.
function isCurrentCountry(code: string): boolean {
  return Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`
}
