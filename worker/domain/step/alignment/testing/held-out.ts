/** As `RECORDINGS`; no constant of the alignment was chosen by them. */
export const HELD_OUT: readonly string[] = [
  `sewing machine: 1 2 3 5 4 6
= Wind the bobbin
Put the thread on the pin and lead it through the first guide. | Thread goes on the pin and through the first guide.
Push the bobbin to the right and press the pedal until it is full. | Push the bobbin over to the right, press the pedal till it is full.
= Insert the bobbin
Open the plate below the needle and drop the bobbin in. | Open the plate under the needle, drop in the bobbin.
The thread has to run to the left. | Its thread must run left.
= Thread the needle
Follow the numbers from one to five with the upper thread. | With the upper thread follow the numbers one to five.
Thread the needle from the front to the back. | The needle is threaded from front to back.
= Choose the stitch
Turn the wheel to the straight stitch and set a length of two and a half. | Straight stitch on the wheel, length two and a half.
= Lower the foot
Lay the fabric under the presser foot and lower it with the lever. | First lay the fabric under the presser foot and lower it by its lever.
= Sew
Hold both threads for the first stitches and guide the fabric with flat hands. | Guide the fabric with flat hands and hold both threads during the first stitches.
Do not pull it. | Never pull.`,
  `visa form: 1 2 3 4 5
= Make an account
Open the page of the embassy and click on register. | On the embassy's page click register.
Confirm the mail that arrives a minute later. | A minute later a mail arrives, confirm it.
= Enter the traveller
Type the family name exactly as it is in the passport. | The family name is typed exactly as in the passport.
Choose the country of birth from the list. | From the list choose your country of birth.
= + Give a contact person
| Recently they also ask for a contact person in the country.
| Write down a telephone number where somebody answers.
= Upload the photo
Upload a photo with a white background that is not older than six months. | The photo needs a white background and must be newer than six months, upload it.
= Pay
Pay the fee of ninety dollars by credit card. | The fee is ninety dollars, pay by credit card.
Print the receipt because you need it at the counter. | You need the receipt at the counter, so print it.`,
  `beehive: 1 3 2 4 5 6
= Light the smoker
Light some straw in the smoker and close the lid when it glows. | Get the smoker going with straw, close its lid when it glows.
= Open the hive
Give two puffs of smoke at the entrance and lift the roof off. | Two puffs of smoke into the entrance, then lift off the roof.
Loosen the frames with the hive tool. | Use the hive tool to loosen the frames.
= Put on the veil
Close the veil and tuck your trousers into the boots. | Your trousers are tucked into your boots, and the veil is closed.
= Look for the queen
Pull the frames one after the other and look for the queen or for eggs. | Pull one frame after the other, looking for eggs or for the queen herself.
Eggs stand upright when they are a day old. | When they are one day old, eggs stand upright.
= Check the stores
Count the frames with honey, a colony needs at least three. | A colony needs three frames with honey at least, so count them.
= Close up
Push all frames together and put the roof back on. | Push the frames together again, the roof goes back on.
Write the date on the hive card. | Date on the hive card.`,
  `spülmaschine gastro: 2 1 3 4 5
= Vorspülen
Räumen Sie Essensreste in den Bioabfall und brausen Sie die Teller ab. | Jetzt kommen Essensreste in den Bioabfall, und die Teller werden abgebraust.
= Maschine vorheizen
Schließen Sie die Haube und drücken Sie die Taste Heizen. | Als Erstes die Haube schließen und die Taste Heizen drücken.
Das Wasser braucht zwanzig Minuten bis sechzig Grad. | Bis sechzig Grad braucht das Wasser zwanzig Minuten.
= Korb beladen
Stellen Sie die Teller schräg in den Korb, die Gläser kommen in den blauen. | Teller schräg in den Korb stellen, in den blauen kommen nur Gläser.
= Programm wählen
Wählen Sie für Gläser das kurze Programm mit neunzig Sekunden. | Für Gläser wird das kurze Programm gewählt, das dauert neunzig Sekunden.
Danach die Haube öffnen und alles trocknen lassen. | Danach öffnen Sie die Haube und lassen alles trocknen.
= Sieb reinigen
Am Abend lassen Sie das Wasser ab und nehmen das Sieb heraus. | Abends das Wasser ablassen, das Sieb herausnehmen.
Spülen Sie es unter fließendem Wasser. | Das wird unter fließendem Wasser gespült.`,
  `wall paint: 1 2 3 4 6
= Cover the floor
Lay the foil on the floor and tape it along the skirting board. | Put foil on the floor, taped to the skirting board.
Take the covers off the sockets. | The covers of the sockets come off.
= Fill the holes
Press filler into the holes with the spatula and let it dry for two hours. | With the spatula press filler in every hole, it dries for two hours.
Sand it smooth afterwards. | Afterwards sand it smooth.
= Stir the paint
Stir the paint from the bottom up with a stick. | Take a stick and stir the paint up from the bottom.
Thin it with a little water. | Add a little water to thin it.
= Paint the edges
Paint a strip along the ceiling with the small brush. | Along the ceiling paint a strip with a small brush.
= Check the colour
Let a test field dry and look at it in daylight. |
= Roll the wall
Dip the roller and strip it off on the grid. | Dip the roller in and strip it on the grid.
Roll up and down in lanes, always wet in wet. | Up and down in lanes, roll always wet in wet.`,
  `changer un filtre: 1 2 3 4 5
= Couper le courant
Coupez le courant au tableau et attendez une minute. | Au tableau, coupez d'abord le courant et attendez une minute.
= Ouvrir la trappe
Dévissez les quatre vis de la trappe et posez-la sur le côté. | La trappe a quatre vis, dévissez-les et posez la trappe sur le côté.
= Sortir l'ancien filtre
Tirez le filtre sale vers vous et mettez-le dans un sac. | Tirez vers vous le filtre sale, il va dans un sac.
Aspirez la poussière dans le logement. | Dans le logement, aspirez la poussière.
= Mettre le nouveau
La flèche du nouveau filtre suit le sens de l'air. | Le nouveau filtre a une flèche qui suit le sens de l'air.
= Remettre en marche
Refermez la trappe et remettez le courant. | Remettez le courant après avoir refermé la trappe.
Notez la date sur l'étiquette. | La date se note sur l'étiquette.`,
]
