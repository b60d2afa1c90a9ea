import { SHARE_DATA_ID, type SharePageData } from '#contract/share-page.ts'

/** What the page's HTML brought along; null where it is served without, as while developing. */
export function readPageData(target: Document): SharePageData | null {
  const text = target.getElementById(SHARE_DATA_ID)?.textContent ?? ''
  return text === '' ? null : (JSON.parse(text) as SharePageData)
}

/** Of which module the page is, and how it is to look, by its address. */
export function readPageAddress(pathname: string): Pick<SharePageData, 'look'> & { moduleId: string } {
  const [, place, moduleId = ''] = pathname.split('/')
  return { moduleId, look: place === 'embed' ? 'embed' : 'page' }
}
