import { detectLanguage } from '../text/language';
import { foldAccents } from '../text/stem';

/**
 * Words of everyday orders and business, French → English: descriptions of tools are mostly English, whatever people ask in.
 * Keys are without accents, in the forms people write; several words are separated by commas.
 */
const TERMS =
	'abonnement=subscription,absence=leave absence,achat=purchase,acheter=buy purchase,actif=asset,adresse=address,affiche=show display,' +
	'agenda=calendar,ajoute=add,alerte=alert,analyse=analyze,annule=cancel,appel=call,arborescence=tree,arret=stop,article=item article,assigne=assign,' +
	'banque=bank,base=database,bilan=balance sheet,bon=order note,branche=branch,brouillon=draft,calcule=calculate,calendrier=calendar,' +
	'camembert=pie chart,camion=truck,capture=screenshot,carte=map card,categorie=category,chemin=path,cherche=search find,chiffre=figure revenue,' +
	'client=customer,clients=customers,clique=click,code=code,colonne=column,combien=count quantity,commande=order,commandes=orders,commentaire=comment,' +
	'compare=compare,comptable=accounting,compte=account count,conge=leave vacation,conges=leave vacation,contact=contact,contenu=content,contrat=contract,' +
	'conversion=convert,convertis=convert,convertir=convert,copie=copy,courbe=line chart,courriel=email mail,cout=cost,couts=costs,creer=create,cree=create,' +
	'date=date,delai=delay,demain=tomorrow forecast,demande=request,depense=expense,depenses=expenses,deplace=move,devis=quotation quote,diagramme=diagram,' +
	'dossier=folder directory,donnees=data,ecran=screen,ecris=write,efface=delete,employe=employee,employes=employees,entreprise=company,entrepot=warehouse,' +
	'entretien=maintenance,envoie=send,equipe=team,equipement=equipment asset,etat=status,fabrication=manufacturing work,facture=invoice,factures=invoices,' +
	'feuille=sheet,fiche=record,fichier=file,fichiers=files,filtre=filter,formulaire=form,fournisseur=supplier vendor,fournisseurs=suppliers vendors,' +
	'frais=expenses,fusionne=merge,genere=generate,graphique=chart,groupe=group,heure=time hour,historique=history,image=image,impaye=unpaid outstanding,' +
	'impayee=unpaid outstanding,impayees=unpaid outstanding overdue,itineraire=directions route,jour=day,journal=log journal,langue=language,lis=read,' +
	'lire=read,liste=list,livraison=delivery,livre=book,livraisons=deliveries,logiciel=software,machine=machine,magasin=store warehouse,mail=email,' +
	'maintenance=maintenance,marge=margin,materiel=equipment,message=message,mesure=measure,meteo=weather,modifie=update edit,mois=month,montre=show,' +
	'mot=word,moyenne=mean average,navigateur=browser,note=note,notifie=notify,nouveau=new,nouvelle=new,objectif=goal,onglet=tab,ordre=order,' +
	'ordres=orders,organise=organize,outil=tool,ouvre=open,page=page,paie=payroll salary pay,paiement=payment,panier=cart,panne=failure breakdown,' +
	'pannes=failures breakdowns,partage=share,passe=place,piece=part item,pieces=parts items,planifie=schedule plan,pluie=rain weather,' +
	'prevision=forecast,previsions=forecast,prix=price,produit=product item,produits=products items,projet=project,prospect=lead,quantite=quantity,' +
	'rapport=report,recherche=search,recherches=search,recu=receipt,remplace=replace,rendez-vous=appointment,renomme=rename,reparation=repair,' +
	'repertoire=directory,reponse=reply answer,requete=query request,reservation=booking,reserve=book,restaurant=restaurant,resultat=result,resume=summarize,' +
	'retard=overdue late,retenue=withholding,reunion=meeting,revenu=revenue,salaire=salary,semaine=week,service=service department,site=site web,' +
	'societe=company,solde=balance,somme=sum,statut=status,stock=stock inventory,suivi=tracking,supprime=delete,tableau=table board,tache=task,taches=tasks,' +
	'taux=rate,taxe=tax,telecharge=download,telephone=phone,temperature=temperature weather,temps=weather time,test=test,texte=text,ticket=ticket issue,' +
	'titre=title,traduis=translate,traduction=translation,trajet=route,trouve=find,tva=tax vat,usine=plant factory,utilisateur=user,utilisateurs=users,' +
	'valeur=value,valide=validate approve,vehicule=vehicle,vend=sell,vente=sale,ventes=sales,verifie=check verify,video=video,ville=city,virement=transfer,' +
	'voiture=car,vol=flight,vols=flights,voyage=trip travel';

let terms: ReadonlyMap<string, string> | undefined;

/** The English words for what a French text names, in its order; '' for a text that is not French or names nothing known. */
export function inEnglish(text: string): string {
	if (detectLanguage(text) !== 'fr') return '';
	terms ??= new Map(TERMS.split(',').map((pair) => pair.split('=') as [string, string]));
	const words = foldAccents(text.toLowerCase()).match(/[a-z]+(?:-[a-z]+)?/g) ?? [];
	return words.flatMap((word) => terms?.get(word) ?? terms?.get(word.replace(/(?:s|z|r)$/, '')) ?? []).join(' ');
}
