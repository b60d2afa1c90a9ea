import * as m from '#messages'
import { openZoom, ZOOM_STEP, zoomOfKey } from './open-zoom.ts'
import './large-image.css'

/** Shows an image over the whole page, to be enlarged. Escape and its button close it; the focus goes back by itself. */
export function showLargeImage(address: string): void {
  const dialog = document.createElement('dialog')
  dialog.className = 'large-image'
  dialog.ariaLabel = m.image_of_the_step()
  const image = new Image()
  image.src = address
  image.alt = ''
  image.draggable = false
  let sharpening: Promise<void> | undefined
  const zoom = openZoom(dialog, image, () => void (sharpening ??= sharpen(image)))
  const buttons = document.createElement('div')
  buttons.className = 'large-image-buttons'
  buttons.append(
    makeButton('−', m.smaller(), () => zoom.zoomBy(1 / ZOOM_STEP)),
    makeButton('+', m.larger(), () => zoom.zoomBy(ZOOM_STEP)),
    makeButton(m.close(), m.close(), () => dialog.close()),
  )
  dialog.append(image, buttons)
  dialog.addEventListener('dblclick', (event) => event.target === image && zoom.toggle(event))
  dialog.addEventListener('keydown', (event) => {
    const factor = zoomOfKey(event)
    if (factor !== null) zoom.zoomBy(factor)
    // The page behind it has keys of its own.
    event.stopPropagation()
  })
  dialog.addEventListener('close', () => {
    zoom.end()
    dialog.remove()
  })
  document.body.append(dialog)
  dialog.showModal()
}

/** The widest image is loaded once it is needed, and shown when it is there. */
async function sharpen(image: HTMLImageElement): Promise<void> {
  const wide = image.src.replace(/-960(?=$|\?)/, '-1600w')
  if (wide === image.src) return
  const next = new Image()
  next.src = wide
  // Without a network the larger one stays.
  const isThere = await next.decode().then(
    () => true,
    () => false,
  )
  if (isThere) image.src = wide
}

function makeButton(face: string, name: string, press: () => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = face
  button.ariaLabel = name
  button.addEventListener('click', press)
  return button
}
