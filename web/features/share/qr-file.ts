/** Of a printed code: 10 cm at 300 dots per inch. */
const PRINT_PX = 1200
const SVG_TYPE = 'image/svg+xml'

/** The drawn code as a file that stands alone, in the size that it is printed in. */
export function svgFileOf(svg: SVGSVGElement): Blob {
  const copy = svg.cloneNode(true) as SVGSVGElement
  copy.setAttribute('width', String(PRINT_PX))
  copy.setAttribute('height', String(PRINT_PX))
  copy.removeAttribute('class')
  return new Blob([new XMLSerializer().serializeToString(copy)], { type: SVG_TYPE })
}

/** The same as pixels. @throws when the browser cannot draw it */
export async function pngFileOf(svg: SVGSVGElement): Promise<Blob> {
  const url = URL.createObjectURL(svgFileOf(svg))
  try {
    const image = new Image(PRINT_PX, PRINT_PX)
    image.src = url
    await image.decode()
    return await drawPng(image)
  } finally {
    URL.revokeObjectURL(url)
  }
}

function drawPng(image: HTMLImageElement): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = PRINT_PX
  canvas.height = PRINT_PX
  const context = canvas.getContext('2d')
  if (!context) return Promise.reject(new Error('no canvas'))
  context.imageSmoothingEnabled = false
  context.drawImage(image, 0, 0, PRINT_PX, PRINT_PX)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png')
  })
}

/** `Change the filter` → `change-the-filter-qr.png`. */
export function qrFilename(title: string, extension: 'png' | 'svg'): string {
  const words = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)
  return `${words === '' ? 'training' : words}-qr.${extension}`
}
