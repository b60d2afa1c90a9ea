/** How the bytes of a caption file may be read: labels of `TextDecoder`, those that caption tools write. */
export const CAPTION_ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'koi8-r',
  'shift_jis',
  'euc-jp',
  'gb18030',
  'big5',
  'euc-kr',
] as const
/** One of {@link CAPTION_ENCODINGS}. */
export type CaptionEncoding = (typeof CAPTION_ENCODINGS)[number]
